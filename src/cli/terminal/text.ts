import widthOf from 'fast-string-truncated-width';
import { cut as cutAt, visible } from '../../json/text.js';

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
