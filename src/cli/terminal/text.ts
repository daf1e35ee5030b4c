import widthOf from 'fast-string-truncated-width';
import { cut as cutAt, visible } from '../../json/text.js';
import type { Terminal } from './terminal.js';

/** A text on one line as it will be shown, so that its width can be measured; white space is one space. */
export function oneLine(text: string): string {
  return visible(text).replace(/\s+/g, ' ').trim();
}

export function width(text: string): number {
  return widthOf(text).width;
}

export function cut(text: string, columns: number): string {
  return widthOf(text, { limit: columns }).truncated ? `${fitting(text, columns - 1)}…` : text;
}

export function wrap(text: string, columns: number): string[] {
  return visible(text)
    .split(/\r?\n/)
    .flatMap((line) => wrapLine(line, Math.max(columns, 8)));
}

function wrapLine(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (width(longer) <= columns) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    lines.push(...chunksOf(word, columns));
    line = lines.pop() ?? '';
  }
  return [...lines, line];
}

/** A word in chunks that fit into a line. It is gone through once: a server may send one of a million characters. */
function chunksOf(word: string, columns: number): string[] {
  const chunks: string[] = [];
  for (let at = 0; at < word.length; at += chunks.at(-1)?.length ?? 0)
    chunks.push(fitting(word.slice(at, at + 6 * Math.max(1, columns)), columns));
  return chunks;
}

/** As much of a text as fits, but one character at least. The library's index is behind a wide sign, or before marks. */
function fitting(text: string, columns: number): string {
  const fits = (length: number) => width(text.slice(0, length)) <= columns;
  let end = widthOf(text, { limit: columns }).index;
  while (end > 1 && !fits(end)) end--;
  while (end < text.length && fits(end + 1)) end++;
  return cutAt(text, Math.max(1, end)) || text.slice(0, 2);
}

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
