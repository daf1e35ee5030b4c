import { cut, oneLine, pad, width, wrap } from './text.js';

interface Column {
  /** Columns of the terminal that it takes at most; the last one takes what is left. */
  atMost: number;
}

interface Row {
  cells: readonly string[];
  /** Lines below the row, under its last cell. */
  below?: readonly { text: string; paint: (text: string) => string }[];
}

/**
 * Rows in aligned columns, indented by two. The first columns are as wide as their widest cell, up to their limit
 * (a longer cell stands on a line of its own, uncut); the last is wrapped.
 *
 * @param columns of the terminal
 */
export function table(
  texts: readonly Row[],
  columns: number,
  limits: readonly Column[],
  paint: readonly ((text: string) => string)[],
): string[] {
  const rows = texts.map(({ cells, below = [] }) => ({
    cells: cells.map(oneLine),
    below: below.map(({ text, paint: paintNote }) => ({ text: oneLine(text), paint: paintNote })),
  }));
  const widths = limits.map(({ atMost }, index) =>
    Math.min(
      atMost,
      Math.max(0, ...rows.map(({ cells }) => width(cells[index] ?? '')).filter((cell) => cell <= atMost)),
    ),
  );
  const indent = 2 + widths.reduce((sum, each) => sum + each + 2, 0);
  const rest = Math.max(20, columns - indent);
  return rows.flatMap(({ cells, below }) => {
    const last = wrap(cells[limits.length] ?? '', rest);
    const heads = cells.slice(0, limits.length);
    const over = heads.some((cell, index) => width(cell) > (widths[index] ?? 0));
    const head = heads.map((cell, index) => pad((paint[index] ?? same)(cell), widths[index] ?? 0)).join('  ');
    const paintLast = paint[limits.length] ?? same;
    const lines = over
      ? [
          `  ${heads.map((cell, index) => (paint[index] ?? same)(cut(cell, columns - 2))).join('  ')}`,
          ...last.map((line) => ' '.repeat(indent) + paintLast(line)),
        ]
      : last.map((line, index) =>
          index === 0 ? `  ${head}  ${paintLast(line)}` : ' '.repeat(indent) + paintLast(line),
        );
    const under = below.flatMap((note) => wrap(note.text, rest).map((line) => ' '.repeat(indent) + note.paint(line)));
    return [...lines, ...under].map((line) => line.trimEnd());
  });
}

function same(text: string): string {
  return text;
}
