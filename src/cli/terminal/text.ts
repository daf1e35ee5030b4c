import { visible } from '../../json/index.js';
import { withoutColours } from './terminal.js';

/** A text on one line as it will be shown, so that its width can be measured; white space is one space. */
export function oneLine(text: string): string {
  return visible(text).replace(/\s+/g, ' ').trim();
}

// Made when it is needed: it takes Node a third as long as starting.
let graphemes: Intl.Segmenter | undefined;
// East Asian wide and fullwidth blocks, and emoji: two columns in every terminal of note.
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const plain = /^[\x20-\x7e]*$/;

const windowLength = 1000;

/** What is shown as one character each. A part at a time: each step takes Node as long as the text that it was given. */
function* segmentsOf(text: string): Generator<string> {
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  for (let at = 0; at < text.length;) {
    const part = text.slice(at, at + windowLength);
    const segments = Array.from(graphemes.segment(part), ({ segment }) => segment);
    // The last one may go on behind the part.
    if (at + part.length < text.length && segments.length > 1) segments.pop();
    for (const segment of segments) {
      at += segment.length;
      yield segment;
    }
  }
}

/** How many columns `text` takes, colours not counted. */
export function width(text: string): number {
  const bare = withoutColours(text);
  if (plain.test(bare)) return bare.length;
  let columns = 0;
  for (const segment of segmentsOf(bare)) columns += wide.test(segment) ? 2 : 1;
  return columns;
}

/** `text` filled up with spaces to `columns`. */
export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - width(text)));
}

/** `text` cut to `columns`, with an ellipsis where something is missing. Takes uncoloured text. */
export function cut(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  return `${chunksOf(text, columns - 1).next().value ?? ''}…`;
}

/** `text`, as it will be shown, in lines of at most `columns`, broken between words, or inside a word that is longer than a line. */
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
  lines.push(line);
  return lines;
}

/** A text in chunks that fit into a line. It is gone through once: a server may send one of a million characters. */
function* chunksOf(text: string, columns: number): Generator<string> {
  if (plain.test(text)) return yield* text.match(new RegExp(`.{1,${Math.max(1, columns)}}`, 'g')) ?? [''];
  let chunk = '';
  let taken = 0;
  for (const segment of segmentsOf(text)) {
    const more = width(segment);
    if (taken + more > columns && chunk !== '') {
      yield chunk;
      [chunk, taken] = ['', 0];
    }
    chunk += segment;
    taken += more;
  }
  yield chunk;
}
