import { cut, isList, jsonPointer, jsonText, nestsDeeper, parseJson, replaceLostNumbers } from '../json/index.js';
import { shortened } from '../json/index.js';
import { differencesIn } from '../mcp/index.js';

/**
 * A tool's answer for a model, shortened if it exceeds `length`. JSON stays JSON: lists, objects and strings in it are
 * cut, and a note names the missing parts by JSON Pointers. Other text ends after a paragraph, a line, a sentence or a
 * word, and says how much is missing.
 *
 * @param length characters at most, not counting the note; a text that the note would make longer stays whole
 */
export function shortenedAnswer(text: string, length: number): string {
  if (text.length <= length) return text;
  const short = shortenedJson(text, length) ?? shortenedText(text, length);
  return short.length < text.length ? short : text;
}

/** The notes on missing parts need this much room. */
export const leastResultLength = 200;

/**
 * Several texts within a common limit, notes included: short ones are kept, and the others share the rest. If that is
 * too little for each, the last ones become empty.
 */
export function shortenedAnswers(texts: readonly string[], length: number): string[] {
  if (sizeOf(texts) <= length) return [...texts];
  let room = length;
  for (let tries = 0; tries < mostTries && room > 0; tries++) {
    const short = sharedOut(texts, room);
    const excess = sizeOf(short) - length;
    if (excess <= 0) return short;
    room -= excess;
  }
  const first = texts.findIndex((text) => text !== '');
  const whole = texts.join('\n\n');
  return texts.map((_, index) => (index === first ? shortenedText(whole, Math.max(0, length - longestNote)) : ''));
}

/** How long the notes are is known once they are made. */
const mostTries = 5;

const longestNote = 100;

/** The length of the texts with their separators. */
function sizeOf(texts: readonly string[]): number {
  const shown = texts.filter((text) => text !== '');
  return sum(shown) + 2 * Math.max(0, shown.length - 1);
}

function sharedOut(texts: readonly string[], length: number): string[] {
  const total = sum(texts);
  // The note about a text that is cut takes about 200 characters.
  const mostTexts = Math.max(8, Math.floor(length / 200));
  const shown = texts.flatMap((text, index) => (text === '' ? [] : [index])).slice(0, mostTexts);
  const last = shown.at(-1) ?? 0;
  const kept = texts.slice(0, last + 1);
  const missing = total - sum(kept);
  const share = largest(length, (most) => sum(kept.map((text) => text.slice(0, most))) <= length);
  const note = missing === 0 ? '' : `\n[${figure(missing)} characters of further texts are missing. ${advice}]`;
  const short = kept.map((text, index) => shortenedAnswer(text, share) + (index === last ? note : ''));
  return texts.map((_, index) => short[index] ?? '');
}

const advice = 'Ask for less at a time to see it.';

function shortenedText(text: string, length: number): string {
  const kept = endingWell(cutText(text, length));
  return `${kept}\n[${figure(text.length - kept.length)} of ${figure(text.length)} characters are missing. ${advice}]`;
}

/** Cut before a number rather than within it: a part of a number is another number. */
function cutText(text: string, length: number): string {
  const kept = cut(text, length);
  const from = Math.max(0, kept.length - 64);
  for (const { index, 0: number } of text.slice(from, kept.length + 64).matchAll(numbers)) {
    let start = from + index;
    if (start >= kept.length || start + number.length <= kept.length) continue;
    while (/\d/.test(text.charAt(start - 1))) start--;
    return text.slice(0, start);
  }
  return kept;
}

/** As programs and people write them: -1,234.5e+10, 1 234 567 */
const numbers = /[+-]?\d+(?:[,'’_ \u00a0\u202f]\d{3}(?!\d))*(?:\.\d+)*(?:[eE][+-]?\d+)?/g;

/** Cut after the last paragraph, line, sentence or word, if that does not cost more than a fifth. */
function endingWell(text: string): string {
  const least = Math.floor(text.length * 0.8);
  for (const end of [/\n\s*\n/g, /\n/g, /[.!?](?=\s)|[。！？]/g, /(?<!\d)\s|\s(?!\d{3}(?!\d))/g]) {
    const last = [...text.slice(least).matchAll(end)].at(-1);
    if (last) return text.slice(0, least + last.index + last[0].trim().length).trimEnd();
  }
  return text;
}

/**
 * Each list with as many items as fit, then each object with as many properties, then each text with as many characters.
 * In time with the text: an object of 300,000 properties is slow to go through, so that is done once.
 *
 * @returns undefined if it is not a JSON object or list, or if it would be changed otherwise than by leaving parts out
 */
function shortenedJson(text: string, length: number): string | undefined {
  // A text of the answer's own may begin with the mark.
  const mark = text.includes(String.raw`\u0000`) ? undefined : '\0';
  const exact = mark === undefined ? text : replaceLostNumbers(text, (lost) => JSON.stringify(mark + lost));
  const whole = parseJson(exact);
  if (typeof whole !== 'object' || whole === null || nestsDeeper(whole, mostLevels)) return undefined;
  if (!isHeldAsWritten(exact, whole)) return undefined;
  const names = new Map<object, readonly string[]>();
  let most: Limits = { items: length, properties: length, characters: Math.ceil(length / 8) };
  const excerpt = (limits: Limits) => excerptOf(whole, limits, { length, mark, names });
  for (const kind of ['items', 'properties', 'characters'] as const)
    most = { ...most, [kind]: largest(length, (count) => excerpt({ ...most, [kind]: count }).json.length <= length) };
  const { json, missing, others } = excerpt(most);
  if (json.length > length) return undefined;
  if (missing.length === 0) return json;
  const places = [...missing, ...(others > 0 ? [`something at ${figure(others)} other places`] : [])].join('; ');
  const note = `This is a part of an answer of ${figure(text.length)} characters. Missing: ${places}. ${advice}`;
  return `{"shortened":${JSON.stringify(note)},"answer":${json}}`;
}

const mostLevels = 100;
const mostPlaces = 10;

/** True if JavaScript represents the value as it is written: no digit, order or sign of zero would change silently. */
function isHeldAsWritten(text: string, value: object): boolean {
  // Comparing with what most servers write is ten times faster than searching the text.
  if (jsonText(value) === text) return true;
  return differencesIn(text).length === 0 && !/[[:,]\s*-0(?:\.0*)?\s*[,\]}]/.test(text);
}

/** The most that each list, object and text keeps. */
type Limits = Readonly<Record<'items' | 'properties' | 'characters', number>>;

interface Excerpt {
  readonly json: string;
  /** What is missing at the first places, and the number of the other ones. */
  readonly missing: readonly string[];
  readonly others: number;
}

/**
 * The first so many of all items, properties and characters of a value, as JSON that ends where it becomes too long.
 *
 * @param names of objects, listed once: an object may have 300,000
 */
function excerptOf(
  whole: unknown,
  most: Limits,
  { length, mark, names }: { length: number; mark: string | undefined; names: Map<object, readonly string[]> },
): Excerpt {
  const path: (string | number)[] = [];
  const missing: string[] = [];
  let others = 0;
  let json = '';
  add(whole);
  return { json, missing, others };

  function add(value: unknown): void {
    if (typeof value === 'string') addText(value);
    else if (typeof value !== 'object' || value === null) json += JSON.stringify(value);
    else if (isList(value)) addMembers('items', value, value.length);
    else {
      const own = names.get(value) ?? Object.keys(value);
      names.set(value, own);
      addMembers('properties', value, own.length, own);
    }
  }

  function addText(text: string): void {
    const isNumber = mark !== undefined && text.startsWith(mark);
    const kept = isNumber || text.length <= most.characters ? text : cutText(text, most.characters);
    note('characters', kept.length, text.length);
    json += isNumber ? text.slice(1) : JSON.stringify(kept === text ? text : `${kept}…`);
  }

  function addMembers(kind: 'items' | 'properties', holder: object, of: number, own?: readonly string[]): void {
    const kept = Math.min(of, most[kind]);
    note(kind, kept, of);
    json += own ? '{' : '[';
    for (let index = 0; index < kept && json.length <= length; index++) {
      const key = own?.[index] ?? index;
      json += `${index > 0 ? ',' : ''}${own ? `${JSON.stringify(key)}:` : ''}`;
      path.push(key);
      add(Reflect.get(holder, key));
      path.pop();
    }
    json += own ? '}' : ']';
  }

  function note(kind: keyof Limits, kept: number, of: number): void {
    const place = () => (path.length === 0 ? 'the top' : shortened(jsonPointer(path), 200));
    if (kept < of && missing.length === mostPlaces) others++;
    else if (kept < of) missing.push(`${figure(of - kept)} of ${figure(of)} ${kind} at ${place()}`);
  }
}

/**
 * The largest whole number up to `most` that fits; 0 if none does. Searches from below, so that it tries little more
 * than fits.
 */
function largest(most: number, fits: (number: number) => boolean): number {
  if (fits(most)) return most;
  let [low, high] = [0, 1];
  while (high < most && fits(high)) [low, high] = [high, Math.min(most, 2 * high)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

function sum(texts: readonly string[]): number {
  return texts.reduce((all, { length }) => all + length, 0);
}

/** 12,345 */
function figure(count: number): string {
  return count.toLocaleString('en-US');
}
