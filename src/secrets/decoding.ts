import type { Span } from './text.js';

/** A text in which escapes are decoded, and where a span of that is written. */
export interface Decoding {
  readonly text: string;
  readonly spanOf: (span: Span) => Span;
}

/** Escapes of JSON (`\"`, `\u00e9`), of characters in URLs (`%2F`, `%c3%a9`), and of HTML (`&amp;`, `&#39;`). */
const escapes = [
  /\\(?:u[0-9a-f]{4}|[^])/gi,
  /%(?:[0-7]\w|[cd]\w%[89ab]\w|e\w(?:%[89ab]\w){2}|f\w(?:%[89ab]\w){3})/gi,
  /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|amp|lt|gt|quot|apos|nbsp);/gi,
];

const named: Readonly<Partial<Record<string, string>>> = {
  ...{ '\\n': '\n', '\\r': '\r', '\\t': '\t', '\\b': '\b', '\\f': '\f' },
  ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'", '&nbsp;': ' ' },
};

/** The text as it is, and as it reads in JSON, in a URL and in HTML, where that is something else. */
export function decodingsOf(text: string): Decoding[] {
  const asItIs: Decoding = { text, spanOf: (span) => span };
  return [asItIs, ...escapes.filter((escape) => text.search(escape) >= 0).map((escape) => decoded(text, escape))];
}

function decoded(text: string, escapes: RegExp): Decoding {
  const starts = new Uint32Array(text.length + 1); // of the characters; no escape is shorter than what it stands for
  let read = '';
  let done = 0;
  const add = (characters: string, from: number, step: number) => {
    for (let i = 0; i < characters.length; i++) starts[read.length + i] = from + i * step;
    read += characters;
  };
  for (const { 0: escape, index } of text.matchAll(escapes)) {
    add(text.slice(done, index), done, 1);
    add(charactersOf(escape), index, 0);
    done = index + escape.length;
  }
  add(text.slice(done), done, 1);
  starts[read.length] = text.length;
  return { text: read, spanOf: ([start, end]) => [starts[start] ?? 0, starts[end] ?? text.length] };
}

function charactersOf(escape: string): string {
  const [, hex, digits] = /^(?:\\u|&#x)([0-9a-f]+)|^&#(\d+)/i.exec(escape) ?? [];
  if (hex ?? digits) return String.fromCodePoint(Math.min(hex ? Number.parseInt(hex, 16) : Number(digits), 0x10ffff));
  if (escape.startsWith('\\')) return named[escape] ?? escape.slice(1);
  return named[escape.toLowerCase()] ?? decode(escape);
}

/** What stands in a URL; bytes that are no UTF-8 stay as they are. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
