import widthOf from 'fast-string-truncated-width';
import { cut as cutAt, visible } from '../../json/text.js';

/** A text on one line as it will be shown, so that its width can be measured; white space is one space. */
export function oneLine(text: string): string {
  return visible(text).replace(/\s+/g, ' ').trim();
}

/** How many columns an uncoloured text takes. */
export function width(text: string): number {
  return widthOf(text).width;
}

/** An uncoloured text cut to `columns`, with an ellipsis where something is missing. */
export function cut(text: string, columns: number): string {
  const { index, truncated } = widthOf(text, { limit: columns, ellipsis: '…' });
  return truncated ? `${cutAt(text, index)}…` : text;
}

/** A text as it will be shown, in lines of at most `columns`: broken between words, or inside a word that is longer. */
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
  for (let at = 0; at < word.length; at += chunks.at(-1)?.length ?? 0) {
    const next = word.slice(at, at + 6 * columns);
    chunks.push(cutAt(next, widthOf(next, { limit: columns }).index));
  }
  return chunks;
}
