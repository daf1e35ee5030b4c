import { ms, plural } from './table.js';
import type { Cell } from './timing.js';
import { ours, theirs, wayNames } from './ways.js';
import type { WayName } from './ways.js';

const width = 900;
const left = 150;
const panel = 270;
const gap = 110;
const bar = 13;
const row = 40;
const top = 92;

/** Two bars a conversation, for its time and for its requests. It brings its own background, light or dark. */
export function timingPlot(cells: readonly Cell[]): string {
  const height = top + cells.length * row + 12;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13" role="img">`,
    `<title>Time and HTTP requests of a conversation with ${ours} and with ${theirs}</title>`,
    style,
    `<rect class="page" width="${width}" height="${height}"/>`,
    ...legend(),
    ...cells.map(({ tools, calls }, index) =>
      label(left - 14, top + index * row + 18, `${plural(tools, 'tool')}, ${plural(calls, 'call')}`, 'end'),
    ),
    ...bars(cells, left, 'time of an execution', ({ ms: time }) => time, ms),
    ...bars(cells, left + panel + gap, 'HTTP requests to the server', ({ requests }) => requests, String),
    '</svg>',
    '',
  ].join('\n');
}

const style = [
  '<style>',
  '.page { fill: #ffffff } text { fill: #24292f } .faint { fill: #57606a } .ours { fill: #1a7f4b } .theirs { fill: #d9822b }',
  '@media (prefers-color-scheme: dark) { .page { fill: #0d1117 } text { fill: #e6edf3 } .faint { fill: #9aa4af } .ours { fill: #3fb774 } .theirs { fill: #e39a4d } }',
  '</style>',
].join('\n');

const classes: Record<(typeof wayNames)[number], string> = { [ours]: 'ours', [theirs]: 'theirs' };

function legend(): string[] {
  return wayNames.flatMap((way, index) => [
    `<rect class="${classes[way]}" x="${left + index * 210}" y="18" width="16" height="16" rx="3"/>`,
    label(left + 24 + index * 210, 31, way),
  ]);
}

function bars(
  cells: readonly Cell[],
  x: number,
  title: string,
  values: (cell: Cell) => Record<WayName, number>,
  written: (value: number) => string,
): string[] {
  const scale = panel / Math.max(...cells.flatMap((cell) => Object.values(values(cell))));
  return [
    `<text class="faint" x="${x}" y="${top - 24}">${title}</text>`,
    ...cells.flatMap((cell, index) =>
      wayNames.flatMap((way, nth) => {
        const value = values(cell)[way];
        const y = top + index * row + nth * (bar + 1);
        const length = Math.max(1, value * scale);
        const ratio = way === theirs ? ` (× ${ratioOf(cell, values).toFixed(1)})` : '';
        return [
          `<rect class="${classes[way]}" x="${x}" y="${y}" width="${length.toFixed(1)}" height="${bar}" rx="2"/>`,
          `<text font-size="11" x="${(x + length + 5).toFixed(1)}" y="${y + 10.5}">${written(value)}${ratio}</text>`,
        ];
      }),
    ),
  ];
}

/** The time's ratio is the median of the rounds' own. */
function ratioOf(cell: Cell, values: (cell: Cell) => Record<WayName, number>): number {
  return values(cell) === cell.ms ? cell.ratio[theirs] : values(cell)[theirs] / values(cell)[ours];
}

function label(x: number, y: number, text: string, anchor = 'start'): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}">${text}</text>`;
}
