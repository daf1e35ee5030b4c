import { fits } from './value.js';

/** The JSON text of any value; values that JSON cannot represent are named instead. */
export function jsonText(value: unknown): string {
  try {
    // Typed as a string, but undefined for values that JSON cannot represent.
    const text: unknown = JSON.stringify(value);
    return typeof text === 'string' ? text : String(value);
  } catch {
    return '[not JSON]';
  }
}

/** The text of a JSON object, of the texts of its members. */
export function objectText(members: Iterable<readonly [name: string, json: string]>): string {
  return `{${Array.from(members, ([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A part of a URL as it is meant. People write a percent sign as it is, too; bytes that are no UTF-8 stay as they are. */
export function decodedUrl(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });
}

/** The first characters of a text, never ending between the halves of a surrogate pair. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

export function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${cut(text, length - 1)}…`;
}

/** A string in JSON's quotes on one line, with invisible characters as escapes, cut after `limit` characters. */
export function quote(text: string, limit = 80): string {
  if (text.length <= limit && !/[^ !#-[\]-~]/.test(text)) return `"${text}"`;
  const json = text.length <= limit ? JSON.stringify(text) : `${JSON.stringify(cut(text, limit)).slice(0, -1)}..."`;
  return visibleLine(json);
}

/** Joins sentences. Each but the last gets a full stop if it has no punctuation at its end. */
export function sentences(...texts: readonly (string | undefined)[]): string {
  const all = texts.filter((text) => text !== undefined).filter((text) => text !== '');
  return all.map((text, index) => (index === all.length - 1 || /[.!?…]$/.test(text) ? text : `${text}.`)).join(' ');
}

/** '1 item', '2 items', '2 properties' */
export function counted(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  return `${count} ${noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}

/** 'a, b or c' */
export function listed(words: readonly string[], conjunction = 'or'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1) ?? ''}`;
}

/** The words of a name, of its first characters: `updateTask_v2` is update, task, v and 2. */
export function wordsOf(name: string, length = 200): readonly string[] {
  const words = name.slice(0, length).match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}]+|\p{N}+/gu) ?? [];
  return words.map((word) => word.toLowerCase());
}

/** The names within an edit distance of a wanted one, the nearest first; upper and lower case are one. */
export function namesNear(wanted: string, names: readonly string[], limit?: number): string[] {
  return names
    .map((name) => ({ name, distance: editDistance(wanted.toLowerCase(), name.toLowerCase(), limit) }))
    .filter(({ distance }) => distance < Infinity)
    .sort((one, other) => one.distance - other.distance)
    .map(({ name }) => name);
}

/** Levenshtein's distance; Infinity beyond the limit. Takes time in proportion to `limit` x length. */
export function editDistance(left: string, right: string, limit = 2): number {
  if (Math.abs(left.length - right.length) > limit) return Infinity;
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= right.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      const distance = Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      next.push(distance);
      if (distance < least) least = distance;
    }
    if (least > limit) return Infinity;
    row = next;
  }
  const distance = row[right.length] ?? Infinity;
  return distance <= limit ? distance : Infinity;
}

/** The first characters of a value's JSON text; of a list or an object that is far too long only the brackets. */
export function briefJson(value: unknown, length: number): string {
  if (typeof value === 'string') return shortened(JSON.stringify(cut(value, length + 1)), length);
  if (fits(value, 8 * length)) return shortened(jsonText(value), length);
  return Array.isArray(value) ? '[…]' : '{…}';
}

export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const [unit, size] = bytes < 1_000_000 ? ['kB', bytes / 1000] : ['MB', bytes / 1_000_000];
  return `${size.toFixed(1)} ${unit}`;
}

/** A text with invisible characters as escapes: line breaks, tabs and the joiners that scripts need stay. */
export function visible(text: string): string {
  if (isPlain(text)) return text;
  return text.replace(invisible, (characters) =>
    Array.from({ length: characters.length }, (_, at) => `\\u${hex(characters.charCodeAt(at))}`).join(''),
  );
}

/** A text as {@link visible} writes it and on one line: line breaks and tabs are escapes, too. */
export function visibleLine(text: string): string {
  if (isPlain(text)) return text;
  return visible(text)
    .replace(/[\t\n\r]/g, (each) => JSON.stringify(each).slice(1, -1))
    .replace(/[\u2028\u2029]/g, (each) => `\\u${hex(each.charCodeAt(0))}`);
}

/** A server's text as a quotation: each line begins with `> `, so that none of them passes for our own text. */
export function quotedLines(text: string): string {
  return text.replace(/^/, '> ').replace(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/g, '\n> ');
}

function isPlain(text: string): boolean {
  return !/[^ -~]/.test(text);
}

/** The position of the first character that {@link visible} escapes; -1 if there is none. */
export function invisibleAt(text: string): number {
  return text.search(invisible);
}

function hex(code: number): string {
  return code.toString(16).padStart(4, '0');
}

/**
 * Control characters, format characters, ignorable ones, and symbols that are blank. Excludes those that can be seen.
 */
const invisible = new RegExp(
  `(?!${[
    // Tabs and line breaks.
    /[\t\n]|\r(?=\n)/,
    // Signs around the numbers behind them.
    /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u,
    // Joiners after a character that is neither Latin nor a joiner: scripts and emoji need them.
    /(?<=[^\0-\u024f\u200c\u200d])[\u200c\u200d]/u,
    // Variation selectors after a character that they can vary.
    /(?<=[\p{Emoji}\p{S}\p{P}])[\ufe0e\ufe0f]|(?<=[\p{Ideographic}\p{Sm}])[\ufe00-\ufe02]/u,
    /(?<=\p{Ideographic})[\u{e0100}-\u{e01ef}]|(?<=\p{Script=Mongolian})[\u180b-\u180f]/u,
    // The tags of a flag such as England's: so few carry no other message.
    /(?<=\u{1f3f4}(?=[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f})[\u{e0030}-\u{e007a}]{0,6})[\u{e0030}-\u{e007f}]/u,
    // The space of Braille.
    /(?<=[\u2801-\u28ff])\u2800/,
  ]
    .map(({ source }) => source)
    .join('|')})[\\p{Cc}\\p{Cf}\\p{Default_Ignorable_Code_Point}\\p{Bidi_Control}\\u2800\\u{1d159}]`,
  'gu',
);

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * The names that a reader of JSON may confuse with a name: many ignore case, accents, signs between words or invisible
 * characters; some end a name at U+0000, and readers of forms at a bracket.
 */
export function readingsOf(name: string): readonly string[] {
  const beginnings = ['\0', '['].map((end) => name.indexOf(end)).filter((at) => at > 0);
  return [folded(name), ...beginnings.map((at) => folded(name.slice(0, at)))];
}

/**
 * Letters and digits only. Upper case merges characters that lower case distinguishes, such as `ß` and `SS`, and the
 * other way round.
 */
function folded(name: string): string {
  const plain = name.normalize('NFKD').replace(/[^\p{L}\p{N}]/gu, '');
  return plain.toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}
