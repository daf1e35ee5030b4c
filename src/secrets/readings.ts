/** What a text says once it is decoded. */
interface Reading {
  readonly text: string;
  /** Where in the outermost text some of its characters are written. */
  readonly place: (from: number, to: number) => Span;
}

/** From one character until before another. */
export type Span = readonly [from: number, to: number];

/** Encodings within one another that are looked into: JSON within JSON within HTML. */
const mostLevels = 3;

/** How many characters are decoded for each of the text. */
const mostDecoded = 10;

/**
 * The text as it is, and what it says in the encodings in which servers repeat what they were given. In these, any part
 * of a secret is found by its value, and one of which only some characters are escaped.
 *
 * @returns undefined where there are too many ways to read it: nobody writes such a text but to hide something in it
 */
export function readingsOf(text: string): Reading[] | undefined {
  const readings: Reading[] = [{ text, place: (from, to) => [from, to] }];
  const seen = new Set([text, '']);
  let left = mostDecoded * text.length;
  for (let level = 0, from = 0; level < mostLevels; level++) {
    const outer = readings.slice(from);
    from = readings.length;
    for (const reading of outer) {
      for (const encoding of encodings) {
        const inner = decoded(reading, encoding);
        if (seen.has(inner.text)) continue;
        left -= inner.text.length;
        if (left < 0) return undefined;
        seen.add(inner.text);
        readings.push(inner);
      }
    }
  }
  return readings;
}

/** Some characters, and what of a match says them. */
type Said = readonly [characters: string, from: number, to: number];

interface Encoding {
  readonly expression: RegExp;
  readonly read: (match: string) => Iterable<Said>;
  /** Whether what is not encoded belongs to the same text. */
  readonly isWithinText: boolean;
}

function decoded(outer: Reading, { expression, read, isWithinText }: Encoding): Reading {
  const pieces: { at: number; from: number; to: number; isCopy: boolean }[] = [];
  let text = '';
  let done = 0;
  const add = (said: string, from: number, to: number, isCopy = false) => {
    pieces.push({ at: text.length, from, to, isCopy });
    text += said;
  };
  const copy = (to: number) => {
    if (isWithinText) add(outer.text.slice(done, to), done, to, true);
  };
  for (const { 0: match, index } of outer.text.matchAll(expression)) {
    copy(index);
    for (const [said, from, to] of read(match)) add(said, index + from, index + to);
    done = index + match.length;
  }
  if (done > 0) copy(outer.text.length);

  const spanOf = (at: number): Span => {
    let [low, high] = [0, pieces.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((pieces[middle]?.at ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    const { at: first, from, to, isCopy } = pieces[low] ?? { at: 0, from: 0, to: 0, isCopy: false };
    return isCopy ? [from + at - first, from + at - first + 1] : [from, to];
  };
  return { text, place: (from, to) => outer.place(spanOf(from)[0], spanOf(to - 1)[1]) };
}

const encodings: readonly Encoding[] = [
  // JSON, and the languages of logs: \" \n \u00e9 \u{e9}
  escapes(/\\(?:u\{[0-9a-f]{1,6}\}|u[0-9a-f]{4}|[^])/gi, (escape) => {
    const [, hex] = /^\\u\{?([0-9a-f]+)/i.exec(escape) ?? [];
    return hex === undefined ? (controls.get(escape) ?? escape.slice(1)) : character(hex, 16);
  }),
  // HTML and XML: &amp; &#39; &#x27;
  escapes(/&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,6});/gi, (escape) => {
    const [, x, digits] = /^&#(x?)(\w+)/i.exec(escape) ?? [];
    return digits === undefined
      ? (entities.get(escape.toLowerCase()) ?? escape)
      : character(digits, x === '' ? 10 : 16);
  }),
  // Bytes, as in URLs: %c3%a9 \xc3\xa9
  {
    expression: /(?:(?:%|\\x)[0-9a-f]{2})+/gi,
    read: (run) => characters(bytesIn(run, /(?:%|\\x)../g, 16)),
    isWithinText: true,
  },
  // Hexadecimal: 6162, 61 62, 61:62
  packed(/(?:[0-9a-f]{2}[ :]?){6,}[0-9a-f]?/gi, (run) => [
    bytesIn(run, /[0-9a-f]{2}/gi, 16),
    bytesIn(run, /(?<=.)[0-9a-f]{2}/gi, 16),
  ]),
  // Bytes in JSON: 97,98
  packed(/(?:\d{1,3},\s?){5,}\d{1,3}/g, (run) => [bytesIn(run, /\d+/g, 10)]),
  // Base64, of which the first character may be any of four: behind a user's name, or where it was cut
  packed(/[\w+/-]{8,}={0,2}/g, (run) => [0, 1, 2, 3].map((before) => base64Bytes(run, before))),
];

const controls = new Map(Array.from('nrtbf0', (letter, i) => [`\\${letter}`, '\n\r\t\b\f\0'.charAt(i)]));

const entities = new Map([
  ['&quot;', '"'],
  ['&amp;', '&'],
  ['&apos;', "'"],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&nbsp;', ' '],
]);

function character(digits: string, base: number): string {
  const code = Number.parseInt(digits, base);
  return String.fromCodePoint(code <= 0x10ffff ? code : 0xfffd);
}

function escapes(expression: RegExp, meaning: (escape: string) => string): Encoding {
  return { expression, read: (match) => [[meaning(match), 0, match.length]], isWithinText: true };
}

/** Bytes, and where each of them is written. */
interface Bytes {
  readonly bytes: Uint8Array;
  readonly places: () => readonly Span[];
}

function bytesIn(run: string, each: RegExp, base: number): Bytes {
  const digits = [...run.matchAll(each)];
  return {
    bytes: Uint8Array.from(digits, ([byte]) => Number.parseInt(byte.replace(/^\W+x?/, ''), base)),
    places: () => digits.map(({ 0: byte, index }) => [index, index + byte.length]),
  };
}

/** @param before characters that were cut off, of those that say three bytes at a time */
function base64Bytes(run: string, before: number): Bytes {
  const bytes = Buffer.from('A'.repeat(before) + run, 'base64');
  const place = (bit: number) => Math.max(0, bit / 6 - before);
  const last = bytes.length - 1;
  return {
    bytes,
    places: () =>
      Array.from(bytes, (_, i) => [Math.floor(place(8 * i)), i === last ? run.length : Math.ceil(place(8 * i + 8))]),
  };
}

/** Runs of characters that say bytes, of which what looks like text is read. */
function packed(expression: RegExp, bytesOf: (run: string) => readonly Bytes[]): Encoding {
  return {
    expression,
    read: (run) =>
      bytesOf(run)
        .filter(({ bytes }) => legible.test(Buffer.from(bytes).toString('utf8')))
        .flatMap((bytes) => [...legibleOf([...characters(bytes)])]),
    isWithinText: false,
  };
}

/** From so many characters on, bytes that look like text seldom do so by chance. */
const shortestLegible = 6;
const illegible = /[\0-\x08\x0e-\x1f\x7f\ufffd]/;
const legible = new RegExp(`[^${illegible.source.slice(1)}{${shortestLegible}}`);

function* legibleOf(said: readonly Said[]): Generator<Said> {
  for (let from = 0, at = 0; at <= said.length; at++) {
    if (at < said.length && !illegible.test(said[at]?.[0] ?? '')) continue;
    if (at - from >= shortestLegible) yield* [...said.slice(from, at), ['\0', 0, 1] as const];
    from = at + 1;
  }
}

/** Bytes as UTF-8, and those that are none as Latin-1. */
function* characters({ bytes, places }: Bytes): Generator<Said> {
  const written = places();
  for (let at = 0, length = 1; at < bytes.length; at += length) {
    const first = bytes[at] ?? 0;
    const wanted = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    const text = wanted === 1 ? '' : Buffer.from(bytes.subarray(at, at + wanted)).toString('utf8');
    const isUtf8 = text !== '' && !text.includes('\ufffd');
    length = isUtf8 ? wanted : 1;
    yield [isUtf8 ? text : String.fromCharCode(first), written[at]?.[0] ?? 0, written[at + length - 1]?.[1] ?? 0];
  }
}
