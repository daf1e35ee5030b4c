import type { Terminal } from './terminal.js';
import { cut, oneLine, width, wrap } from './text.js';

interface Column {
  /** How wide it gets at most, in characters, or below 1 as a share of the terminal. */
  readonly atMost: number;
  readonly paint?: (text: string) => string;
}

export interface Row {
  readonly cells: readonly string[];
  /** Texts below the row, under its last cell; an empty one is left out. */
  readonly below?: readonly { readonly text: string; readonly paint: (text: string) => string }[];
}

/**
 * Prints rows in aligned columns, indented by two. The columns are as wide as their widest cell, up to their limit; a
 * row with a longer cell gets a line of its own. One more cell takes the rest of the width and is wrapped.
 */
export function printTable(rows: readonly Row[], columns: readonly Column[], terminal: Terminal): void {
  const { columns: all = 200 } = terminal;
  const widths = columns.map(({ atMost }, index) => {
    const most = atMost < 1 ? Math.floor(all * atMost) : atMost;
    const cells = rows.map(({ cells }) => width(oneLine(cells[index] ?? '')));
    return Math.min(most, Math.max(0, ...cells.filter((cell) => cell <= most)));
  });
  const indent = ' '.repeat(2 + widths.reduce((sum, each) => sum + each + 2, 0));
  const rest = Math.max(20, all - indent.length);
  for (const { cells, below = [] } of rows) {
    const heads = cells.slice(0, columns.length).map(oneLine);
    const painted = (text: string, index: number) => columns[index]?.paint?.(text) ?? text;
    const missing = heads.map((cell, index) => (widths[index] ?? 0) - width(cell));
    const isWide = missing.some((columns) => columns < 0);
    const head = heads.map((cell, index) =>
      isWide ? painted(cut(cell, all - 2), index) : painted(cell, index) + ' '.repeat(missing[index] ?? 0),
    );
    const last = wrap(oneLine(cells[columns.length] ?? ''), rest);
    const start = `  ${head.join('  ')}`;
    const lines = isWide
      ? [start, ...last.map((line) => indent + line)]
      : [`${start}  ${last[0] ?? ''}`, ...last.slice(1).map((line) => indent + line)];
    const under = below
      .filter(({ text }) => text !== '')
      .flatMap(({ text, paint }) => wrap(oneLine(text), rest).map((line) => indent + paint(line)));
    for (const line of [...lines, ...under]) terminal.line(line.trimEnd());
  }
}
