import { cut, isObject, jsonPointer, nestsDeeper, parseJson, shortened } from '../json/index.js';
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
  const sizes = texts.map((text) => text.length);
  if (sum(sizes) <= length) return [...texts];
  const mostTexts = Math.max(fewTexts, Math.floor(length / leastOfText));
  const last =
    texts
      .flatMap((text, index) => (text === '' ? [] : [index]))
      .slice(0, mostTexts)
      .at(-1) ?? 0;
  const kept = sizes.slice(0, last + 1);
  const missing = sum(sizes.slice(last + 1));
  const share = largest(length, (most) => sum(kept.map((size) => Math.min(size, most))) <= length);
  const note = missing === 0 ? '' : `\n[${figure(missing)} characters of further texts are missing. ${advice}]`;
  const short = texts.map((text, index) =>
    index > last ? '' : shortenedAnswer(text, share) + (index === last ? note : ''),
  );
  return sum(short.map((text) => text.length)) < sum(sizes) ? short : [...texts];
}

/** The note about a text that is cut takes about so many characters: with less room for each, texts are left out. */
const leastOfText = 200;
const fewTexts = 8;

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

/** So much of each list, object and text is kept. */
interface Limits {
  readonly items: number;
  readonly properties: number;
  readonly characters: number;
}

interface Cut {
  readonly value: unknown;
  /** What is missing, and where. */
  readonly losses: readonly string[];
}

/**
 * As many items as fit, then as many properties, then as much of each text.
 *
 * @returns undefined for what is no JSON object or list, or would be changed otherwise than by leaving something out
 */
function shortenedJson(text: string, length: number): string | undefined {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || nestsDeeper(value, deepest)) return undefined;
  // What JavaScript holds otherwise than it is written, as the sign of -0, would be changed without a word.
  if (differencesIn(text).length > 0 || /[[:,]\s*-0(?:\.0*)?\s*[,\]}]/.test(text)) return undefined;
  const whole: Limits = { items: length, properties: length, characters: Math.ceil(length / 8) };
  const known = new Map<object, readonly string[]>();
  const fits = (limits: Limits) => cutValue(value, limits, length, known) !== undefined;
  const items = largest(length, (most) => fits({ ...whole, items: most }));
  const properties = largest(length, (most) => fits({ ...whole, items, properties: most }));
  const characters = largest(length, (most) => fits({ items, properties, characters: most }));
  const result = cutValue(value, { items, properties, characters }, length, known);
  if (!result) return undefined;
  const { losses, value: answer } = result;
  if (losses.length === 0) return JSON.stringify(answer);
  const others = losses.length > mostPlaces ? [`something at ${figure(losses.length - mostPlaces)} other places`] : [];
  const missing = [...losses.slice(0, mostPlaces), ...others].join('; ');
  const note = `This is a part of an answer of ${figure(text.length)} characters. Missing: ${missing}. ${advice}`;
  return JSON.stringify({ shortened: note, answer });
}

const deepest = 100;
const mostPlaces = 10;

/**
 * What is left of a value within these limits; undefined where that takes more characters than there is room for.
 *
 * @param known the names of objects, which may have hundreds of thousands
 */
function cutValue(
  whole: unknown,
  limits: Limits,
  room: number,
  known: Map<object, readonly string[]>,
): Cut | undefined {
  const losses: string[] = [];
  let left = room;
  const lose = (kept: number, of: number, what: string, path: Path) => {
    if (kept < of) losses.push(`${figure(of - kept)} of ${figure(of)} ${what} at ${placeOf(path)}`);
  };
  const value = part(whole, []);
  return left < 0 ? undefined : { value, losses };

  function part(value: unknown, path: Path): unknown {
    if (Array.isArray(value)) {
      const kept = counted(Math.min(value.length, limits.items));
      lose(kept, value.length, 'items', path);
      return untilFull(value.slice(0, kept), (item, index) => part(item, [...path, index]));
    }
    if (isObject(value)) {
      const names = known.get(value) ?? Object.keys(value);
      known.set(value, names);
      const kept = counted(Math.min(names.length, limits.properties));
      lose(kept, names.length, 'properties', path);
      const members = untilFull(names.slice(0, kept), (name): [string, unknown] => {
        left -= JSON.stringify(name).length + 1;
        return [name, part(value[name], [...path, name])];
      });
      return Object.fromEntries(members);
    }
    const text = typeof value === 'string' && value.length > limits.characters ? cut(value, limits.characters) : value;
    if (typeof value === 'string' && text !== value) lose(String(text).length, value.length, 'characters', path);
    const shown = text === value ? value : `${String(text)}…`;
    left -= JSON.stringify(shown).length;
    return shown;
  }

  /** The brackets, and the commas between so many parts. */
  function counted(parts: number): number {
    left -= 2 + Math.max(0, parts - 1);
    return parts;
  }

  function untilFull<Part, Result>(parts: readonly Part[], each: (part: Part, index: number) => Result): Result[] {
    const results: Result[] = [];
    for (const [index, one] of parts.entries()) {
      if (left < 0) break;
      results.push(each(one, index));
    }
    return results;
  }
}

type Path = readonly (string | number)[];

function placeOf(path: Path): string {
  return path.length === 0 ? 'the top' : shortened(jsonPointer(path), 200);
}

/** The largest whole number up to `most` that fits; 0 where none does. */
function largest(most: number, fits: (number: number) => boolean): number {
  if (fits(most)) return most;
  let [low, high] = [0, most];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}

/** 12,345 */
function figure(count: number): string {
  return count.toLocaleString('en-US');
}
