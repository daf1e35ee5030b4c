import type { Fate } from '../src/projections/index.js';
import type { Measured } from './measure.js';

const colours: Record<Fate, string> = {
  identical: '#1a7f4b',
  reordered: '#6cc08b',
  annotations: '#c9d66b',
  meaning: '#e8913a',
  lost: '#b3261e',
};
const words: Record<Fate, string> = {
  identical: 'identical',
  reordered: 'reordered',
  annotations: 'annotations changed',
  meaning: 'meaning changed',
  lost: 'lost',
};
const fates = Object.keys(colours) as Fate[]; // its own keys, which Object.keys types as strings

const left = 300;
const width = 900;
const bar = 26;
const gap = 14;
const top = 64;

/** One bar a peer: how many of its tools reach the model unchanged, and what happens to the others. */
export function fidelityPlot(fidelity: Measured['fidelity']): string {
  const rows = [...fidelity];
  const height = top + rows.length * (bar + gap) + 16;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="14" role="img">`,
    '<title>Share of tools by what becomes of their schema on the way to the model</title>',
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...legend(),
    ...rows.flatMap(([name, { fates: counts }], index) => row(name, counts, top + index * (bar + gap))),
    '</svg>',
    '',
  ].join('\n');
}

function legend(): string[] {
  let x = 16;
  return fates.flatMap((fate) => {
    const at = x;
    x += 34 + words[fate].length * 8.2;
    return [
      `<rect x="${at}" y="18" width="16" height="16" rx="3" fill="${colours[fate]}"/>`,
      `<text x="${at + 22}" y="31" fill="#222222">${words[fate]}</text>`,
    ];
  });
}

function row(name: string, counts: Record<Fate, number>, y: number): string[] {
  const all = fates.reduce((sum, fate) => sum + counts[fate], 0) || 1;
  const scale = (width - left - 24) / all;
  let x = left;
  const parts = fates.flatMap((fate) => {
    const at = x;
    const part = counts[fate] * scale;
    x += part;
    if (part === 0) return [];
    const percent = (counts[fate] / all) * 100;
    const label =
      part > 46
        ? [
            `<text x="${(at + part / 2).toFixed(1)}" y="${y + 18}" text-anchor="middle" fill="${fate === 'annotations' || fate === 'reordered' ? '#222222' : '#ffffff'}">${percent.toFixed(0)} %</text>`,
          ]
        : [];
    return [
      `<rect x="${at.toFixed(1)}" y="${y}" width="${part.toFixed(1)}" height="${bar}" fill="${colours[fate]}"/>`,
      ...label,
    ];
  });
  return [
    `<text x="${left - 12}" y="${y + 18}" text-anchor="end" fill="#222222"${name === 'mcp-verbatim' ? ' font-weight="bold"' : ''}>${name}</text>`,
    ...parts,
  ];
}
