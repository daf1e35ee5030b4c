import { cut, isList, jsonPointer, jsonText, parseJson, replaceLostNumbers, shortened } from '../json/index.js';
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
  const short = texts.map((text, index) =>
    index > last ? '' : shortenedAnswer(text, share) + (index === last ? note : ''),
  );
  return short;
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
  const exact = text.includes(String.raw`\u0000`)
    ? text
    : replaceLostNumbers(text, (lost) => JSON.stringify(`\0${lost}`));
  const whole = parseJson(exact);
  if (typeof whole !== 'object' || whole === null) return undefined;
  const parts = partOf(whole, Math.ceil(length / 2) + 1);
  if (!parts || !isHeldAsWritten(exact, whole)) return undefined;
  let most: Limits = { items: length, properties: length, characters: Math.ceil(length / 8) };
  for (const kind of ['items', 'properties', 'characters'] as const) {
    const fits = (count: number) => roomBeside(parts, { ...most, [kind]: count }, length) >= 0;
    most = { ...most, [kind]: largest(length, fits) };
  }
  const answer = cutPart(parts, most);
  const short = jsonOf(answer);
  if (short.length > length) return undefined;
  const losses = [...lossesIn(answer)];
  if (losses.length === 0) return short;
  const others = losses.length > mostPlaces ? [`something at ${figure(losses.length - mostPlaces)} other places`] : [];
  const missing = [...losses.slice(0, mostPlaces).map(lossText), ...others].join('; ');
  const note = `This is a part of an answer of ${figure(text.length)} characters. Missing: ${missing}. ${advice}`;
  return `{"shortened":${JSON.stringify(note)},"answer":${short}}`;
}

const mostPlaces = 10;

/** True if JavaScript represents the value as it is written: no digit, order or sign of zero would change silently. */
function isHeldAsWritten(text: string, value: object): boolean {
  // Comparing with what most servers write is ten times faster than searching the text.
  if (jsonText(value) === text) return true;
  return differencesIn(text).length === 0 && !/[[:,]\s*-0(?:\.0*)?\s*[,\]}]/.test(text);
}

/** The parts of an answer to keep: the first so many of all lists, objects and strings. */
type Part = Container | Text | { readonly kind: 'scalar'; readonly json: string };
interface Container {
  readonly kind: 'items' | 'properties';
  /** In an object behind their names, as JSON: `"limit":`. */
  readonly members: readonly (readonly [label: string, part: Part])[];
  readonly of: number;
}
interface Text {
  readonly kind: 'characters';
  readonly text: string;
  readonly kept: number;
  readonly of: number;
}

/** Undefined if lists and objects nest too deeply. */
function partOf(value: unknown, most: number, levels = 100): Part | undefined {
  // A number that JavaScript does not hold.
  if (typeof value === 'string' && value.startsWith('\0')) return { kind: 'scalar', json: value.slice(1) };
  if (typeof value === 'string') return { kind: 'characters', text: value, kept: value.length, of: value.length };
  if (typeof value !== 'object' || value === null) return { kind: 'scalar', json: JSON.stringify(value) };
  if (levels === 0) return undefined;
  const names = isList(value) ? undefined : Object.keys(value);
  const kept = isList(value)
    ? value.slice(0, most)
    : names?.slice(0, most).map((name) => Reflect.get(value, name) as unknown);
  const members: [string, Part][] = [];
  for (const [index, each] of (kept ?? []).entries()) {
    const part = partOf(each, most, levels - 1);
    if (!part) return undefined;
    members.push([names ? `${JSON.stringify(names[index])}:` : '', part]);
  }
  return { kind: names ? 'properties' : 'items', members, of: names?.length ?? (value as readonly unknown[]).length };
}

/** The most that each list, object and text keeps. */
type Limits = Readonly<Record<Exclude<Part['kind'], 'scalar'>, number>>;

function cutPart(part: Part, most: Limits): Part {
  if (part.kind === 'scalar') return part;
  if (part.kind === 'characters') return shorter(part, most.characters);
  const members = part.members.slice(0, most[part.kind]);
  return { ...part, members: members.map(([label, each]) => [label, cutPart(each, most)]) };
}

function shorter(part: Text, most: number): Text {
  if (part.text.length <= most) return part;
  const text = cutText(part.text, most);
  return { ...part, text: `${text}…`, kept: text.length };
}

function jsonOf(part: Part): string {
  if (part.kind === 'scalar') return part.json;
  if (part.kind === 'characters') return JSON.stringify(part.text);
  const inner = part.members.map(([label, each]) => label + jsonOf(each)).join(',');
  return part.kind === 'items' ? `[${inner}]` : `{${inner}}`;
}

/** The room that is left beside a part, as JSON and cut to these limits; negative if it is too long, without reading on. */
function roomBeside(part: Part, most: Limits, room: number): number {
  if (part.kind === 'scalar' || part.kind === 'characters') return room - jsonOf(cutPart(part, most)).length;
  let left = room - 2;
  for (const [index, [label, each]] of part.members.entries()) {
    if (index >= most[part.kind] || left < 0) break;
    left = roomBeside(each, most, left - label.length - (index > 0 ? 1 : 0));
  }
  return left;
}

type Loss = Readonly<{ part: Container | Text; path: readonly string[] }>;

function* lossesIn(part: Part, path: readonly string[] = []): Generator<Loss> {
  if (part.kind === 'scalar') return;
  if (keptOf(part) < part.of) yield { part, path };
  if (part.kind === 'characters') return;
  for (const [index, [label, each]] of part.members.entries())
    yield* lossesIn(each, [...path, label === '' ? String(index) : String(parseJson(label.slice(0, -1)))]);
}

function lossText({ part, path }: Loss): string {
  const place = path.length === 0 ? 'the top' : shortened(jsonPointer(path), 200);
  return `${figure(part.of - keptOf(part))} of ${figure(part.of)} ${part.kind} at ${place}`;
}

function keptOf(part: Container | Text): number {
  return part.kind === 'characters' ? part.kept : part.members.length;
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
