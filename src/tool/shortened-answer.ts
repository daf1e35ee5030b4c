import { cut, isList, isObject, jsonPointer, nestsDeeper, parseJson, shortened } from '../json/index.js';
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

/**
 * Each list with as many items as fit, then each object with as many properties, then each text with as many characters.
 *
 * @returns undefined for what is no JSON object or list, or would be changed otherwise than by leaving something out
 */
function shortenedJson(text: string, length: number): string | undefined {
  const whole = parseJson(text);
  if (typeof whole !== 'object' || whole === null || nestsDeeper(whole, 100)) return undefined;
  // What JavaScript holds otherwise than it is written, as the sign of -0, would be changed without a word.
  if (differencesIn(text).length > 0 || /[[:,]\s*-0(?:\.0*)?\s*[,\]}]/.test(text)) return undefined;
  const most: Limits = { items: length, properties: length, characters: length };
  const limits = { ...most, characters: Math.ceil(length / 8) };
  // What cannot fit in any case goes first: looking through 300,000 properties again and again takes seconds.
  let answer = cutValue(whole, most);
  const fits = (some: Limits) => JSON.stringify(cutValue(answer, some)).length <= length;
  for (const part of ['items', 'properties', 'characters'] as const) {
    limits[part] = largest(length, (count) => fits({ ...limits, [part]: count }));
    answer = cutValue(answer, { ...most, [part]: limits[part] });
  }
  if (!fits(most)) return undefined;
  const losses = [...lossesIn(whole, answer, [])];
  if (losses.length === 0) return JSON.stringify(answer);
  const others = losses.length > mostPlaces ? [`something at ${figure(losses.length - mostPlaces)} other places`] : [];
  const missing = [...losses.slice(0, mostPlaces), ...others].join('; ');
  const note = `This is a part of an answer of ${figure(text.length)} characters. Missing: ${missing}. ${advice}`;
  return JSON.stringify({ shortened: note, answer });
}

const mostPlaces = 10;

type Limits = Readonly<Record<'items' | 'properties' | 'characters', number>>;

function cutValue(value: unknown, limits: Limits): unknown {
  if (typeof value === 'string') {
    return value.length > limits.characters ? `${cut(value, limits.characters)}…` : value;
  }
  if (isList(value)) return value.slice(0, limits.items).map((item) => cutValue(item, limits));
  if (!isObject(value)) return value;
  const names = Object.keys(value).slice(0, limits.properties);
  return Object.fromEntries(names.map((name) => [name, cutValue(value[name], limits)]));
}

function* lossesIn(whole: unknown, kept: unknown, path: readonly (string | number)[]): Generator<string> {
  const lost = (count: number, of: number, what: string) =>
    `${figure(of - count)} of ${figure(of)} ${what} at ${path.length === 0 ? 'the top' : shortened(jsonPointer(path), 200)}`;
  if (typeof whole === 'string' && typeof kept === 'string' && whole !== kept) {
    yield lost(kept.length - 1, whole.length, 'characters');
  } else if (isList(whole) && isList(kept)) {
    if (kept.length < whole.length) yield lost(kept.length, whole.length, 'items');
    for (const [index, item] of kept.entries()) yield* lossesIn(whole[index], item, [...path, index]);
  } else if (isObject(whole) && isObject(kept)) {
    const [all, left] = [Object.keys(whole), Object.keys(kept)];
    if (left.length < all.length) yield lost(left.length, all.length, 'properties');
    for (const name of left) yield* lossesIn(whole[name], kept[name], [...path, name]);
  }
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
