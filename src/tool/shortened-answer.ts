import { cut, isList, isObject, jsonPointer, jsonText, nestsDeeper, parseJson, shortened } from '../json/index.js';
import { differencesIn } from '../mcp/index.js';

/**
 * A tool's answer as a model reads it, where it is longer than it should be. JSON stays JSON: lists, objects and texts in
 * it are cut, and a note says what is missing, by JSON Pointers. Other text ends after a paragraph, a line, a sentence or
 * a word, and says how much is missing.
 *
 * @param length characters at most, but for the note of what is missing; a text that would be longer with that stays
 */
export function shortenedAnswer(text: string, length: number): string {
  if (text.length <= length) return text;
  const short = shortenedJson(text, length) ?? shortenedText(text, length);
  return short.length < text.length ? short : text;
}

/**
 * Several texts that may take so many characters together: short ones are kept, and the others share what is left. Where
 * that is too little for each, the last ones are left out: they are empty then.
 */
export function shortenedAnswers(texts: readonly string[], length: number): string[] {
  const total = sum(texts);
  if (total <= length) return [...texts];
  // The note about a text that is cut takes about 200 characters.
  const mostTexts = Math.max(8, Math.floor(length / 200));
  const shown = texts.flatMap((text, index) => (text === '' ? [] : [index])).slice(0, mostTexts);
  const last = shown.at(-1) ?? 0;
  const kept = texts.slice(0, last + 1);
  const missing = total - sum(kept);
  const share = largest(length, (most) => sum(kept.map((text) => text.slice(0, most))) <= length);
  const note = missing === 0 ? '' : `\n[${figure(missing)} characters of further texts are missing. ${advice}]`;
  const short = texts.map((text, index) =>
    index > last ? '' : shortenedAnswer(text, share) + (index === last ? note : ''),
  );
  return sum(short) < total ? short : [...texts];
}

const advice = 'Ask for less at a time to see it.';

function shortenedText(text: string, length: number): string {
  const kept = endingWell(cut(text, length));
  return `${kept}\n[${figure(text.length - kept.length)} of ${figure(text.length)} characters are missing. ${advice}]`;
}

/** Cut after the last paragraph, line, sentence or word, if that does not cost more than a fifth. */
function endingWell(text: string): string {
  const least = Math.floor(text.length * 0.8);
  for (const end of [/\n\s*\n/g, /\n/g, /[.!?](?=\s)|[。！？]/g, /\s/g]) {
    const last = [...text.slice(least).matchAll(end)].at(-1);
    if (last) return text.slice(0, least + last.index + last[0].trim().length).trimEnd();
  }
  return text;
}

/** How much is kept of each list, each object and each text. */
type Limits = Readonly<Record<'items' | 'properties' | 'characters', number>>;

const unlimited: Limits = { items: Infinity, properties: Infinity, characters: Infinity };

const maxLevels = 100;

/**
 * Each list with as many items as fit, then each object with as many properties, then each text with as many characters.
 *
 * @returns undefined for what is no JSON object or list, or would be changed otherwise than by leaving something out
 */
function shortenedJson(text: string, length: number): string | undefined {
  const whole = parseJson(text);
  if (typeof whole !== 'object' || whole === null) return undefined;
  // With its comma a member takes two characters at least, so no more than these can fit. Only they are gone through again.
  const most = Math.ceil(length / 2) + 1;
  let answer = partOf(whole, { ...unlimited, items: most, properties: most }) as object; // a list stays one, an object too
  if (nestsDeeper(answer, maxLevels) || !isHeldAsWritten(text, whole)) return undefined;
  let limits = unlimited;
  for (const kind of ['items', 'properties'] as const) {
    limits = { ...limits, [kind]: fittingCount(kind, answer, limits, length) };
  }
  answer = partOf(answer, limits) as object;
  limits = { ...limits, characters: fittingCharacters(answer, length) };
  const short = JSON.stringify(partOf(answer, limits));
  if (short.length > length) return undefined;
  const losses = lossesIn(whole, limits);
  if (losses.length === 0) return short;
  const others = losses.length > mostPlaces ? [`something at ${figure(losses.length - mostPlaces)} other places`] : [];
  const missing = [...losses.slice(0, mostPlaces), ...others].join('; ');
  const note = `This is a part of an answer of ${figure(text.length)} characters. Missing: ${missing}. ${advice}`;
  return `{"shortened":${JSON.stringify(note)},"answer":${short}}`;
}

const mostPlaces = 10;

/** Whether JavaScript holds it as it is written: no digit, order or sign of zero would be changed without a word. */
function isHeldAsWritten(text: string, value: object): boolean {
  // What most servers write is compared ten times faster than it is looked through.
  if (jsonText(value) === text) return true;
  return differencesIn(text).length === 0 && !/[[:,]\s*-0(?:\.0*)?\s*[,\]}]/.test(text);
}

/** A JSON value within the limits. What nests too deeply stays as it is. */
function partOf(value: unknown, limits: Limits, levels = maxLevels): unknown {
  if (typeof value === 'string') return cutText(value, limits.characters);
  if (typeof value !== 'object' || value === null || levels === 0) return value;
  if (isList(value)) return value.slice(0, limits.items).map((item) => partOf(item, limits, levels - 1));
  const names = Object.keys(value).slice(0, limits.properties);
  return Object.fromEntries(names.map((name) => [name, partOf(Reflect.get(value, name), limits, levels - 1)]));
}

function cutText(text: string, most: number): string {
  return text.length <= most ? text : `${cut(text, most)}…`;
}

/**
 * How many items of each list, or properties of each object, fit, where texts take an eighth of the room at most. One
 * pass adds up what is always there (at 0), and at each other number what comes with that many.
 */
function fittingCount(kind: 'items' | 'properties', whole: object, limits: Limits, length: number): number {
  const sizes: number[] = [];
  const add = (count: number, size: number) => (sizes[count] = (sizes[count] ?? 0) + size);
  const visit = (value: unknown, count: number): void => {
    if (typeof value !== 'object' || value === null) {
      add(count, JSON.stringify(partOf(value, { ...unlimited, characters: Math.ceil(length / 8) })).length);
      return;
    }
    add(count, '[]'.length);
    const own = isList(value) ? 'items' : 'properties';
    for (const [index, [name, member]] of Object.entries(value).slice(0, limits[own]).entries()) {
      const needed = own === kind ? Math.max(count, index + 1) : count;
      const label = isList(value) ? 0 : JSON.stringify(name).length + ':'.length;
      add(needed, label + (index > 0 ? ','.length : 0));
      visit(member, needed);
    }
  };
  visit(whole, 0);
  let count = 0;
  let left = length - (sizes[0] ?? 0);
  while (count < sizes.length && (left -= sizes[count + 1] ?? 0) >= 0) count++;
  return count;
}

/** How many characters of each text fit. */
function fittingCharacters(whole: object, length: number): number {
  const texts = [...textsIn(whole)];
  const sizeOf = (most: number) => sum(texts.map((text) => JSON.stringify(cutText(text, most))));
  const room = length - JSON.stringify(whole).length + sizeOf(Infinity);
  return largest(length, (most) => sizeOf(most) <= room);
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object') for (const member of Object.values(value ?? {})) yield* textsIn(member);
}

/** What the limits leave out, and where. */
function lossesIn(value: unknown, limits: Limits, path: readonly string[] = []): string[] {
  if (typeof value === 'string') return lossAt(path, 'characters', value.length, cut(value, limits.characters).length);
  if (!isList(value) && !isObject(value)) return [];
  const kind = isList(value) ? 'items' : 'properties';
  const names = Object.keys(value);
  const kept = names.slice(0, limits[kind]);
  const within = kept.flatMap((name) => lossesIn(Reflect.get(value, name), limits, [...path, name]));
  return [...lossAt(path, kind, names.length, kept.length), ...within];
}

function lossAt(path: readonly string[], kind: keyof Limits, all: number, kept: number): string[] {
  const place = path.length === 0 ? 'the top' : shortened(jsonPointer(path), 200);
  return kept < all ? [`${figure(all - kept)} of ${figure(all)} ${kind} at ${place}`] : [];
}

/** The largest whole number up to `most` that fits; 0 where none does. From below, so that little more than fits is tried. */
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
