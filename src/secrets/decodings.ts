import { decodedUrl, parseJson } from '../json/index.js';
import type { Span } from './in-text.js';

interface Decoding {
  readonly text: string;
  readonly spanOf: (span: Span) => Span;
}

/** The escapes of JSON (`\"`, `\u00e9`), of URLs (`%2F`, `%c3%a9`) and of HTML (`&amp;`, `&#39;`). */
const encodings: readonly (readonly [escape: RegExp, decode: (escape: string) => string])[] = [
  [/(\\(?:u[0-9a-f]{4}|[^]))/i, decodedJson],
  [/(%(?:[0-7][0-9a-f]|[cd]\w%[89ab]\w|e\w(?:%[89ab]\w){2}|f\w(?:%[89ab]\w){3}))/i, decodedUrl],
  [/(&(?:#\d{1,7}|#x[0-9a-f]{1,6}|amp|lt|gt|quot|apos|nbsp);)/i, decodedHtml],
];

/** The text as it is, and as it reads where that differs. */
export function decodingsOf(text: string): Decoding[] {
  const used = encodings.filter(([escape]) => escape.test(text));
  return [{ text, spanOf: (span) => span }, ...used.map(([escape, decode]) => decoded(text, escape, decode))];
}

function decoded(text: string, escape: RegExp, decode: (escape: string) => string): Decoding {
  const starts: number[] = []; // of each decoded character
  let at = 0;
  const parts = text.split(escape).map((part, index) => {
    const isEscape = index % 2 === 1;
    const characters = isEscape ? decode(part) : part;
    for (let read = 0; read < characters.length; read++) starts.push(isEscape ? at : at + read);
    at += part.length;
    return characters;
  });
  return { text: parts.join(''), spanOf: ([start, end]) => [starts[start] ?? at, starts[end] ?? at] };
}

function decodedJson(escape: string): string {
  const character = parseJson(`"${escape}"`);
  return typeof character === 'string' ? character : escape.slice(1);
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function decodedHtml(escape: string): string {
  const [, hex, digits] = /^&#(?:x(.+)|(.+));$/i.exec(escape) ?? [];
  const code = hex === undefined ? Number(digits) : Number.parseInt(hex, 16);
  return named[escape.slice(1, -1).toLowerCase()] ?? String.fromCodePoint(Math.min(code, 0x10ffff));
}
