import { cut, isObject, jsonPointer, nestsDeeper, parseJson, shortened, type JsonObject } from '../json/index.js';
import { differencesIn } from '../mcp/index.js';

/**
 * A tool's answer as a model reads it, where it is longer than it should be. JSON stays JSON: lists and texts in it are
 * cut, and what is missing is said beside it, by JSON Pointers. Other text ends after a paragraph, a line, a sentence or
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
  if (lengthOf(texts) <= length) return [...texts];
  let most = Math.max(fewTexts, Math.floor(length / leastOfText));
  const end = texts.findIndex((text) => text !== '' && most-- === 0);
  const kept = end < 0 ? texts : texts.slice(0, end);
  const rooms = shares(
    kept.map((text) => text.length),
    length,
  );
  const left = texts.slice(kept.length);
  const missing = lengthOf(left);
  const last = kept.findLastIndex((text) => text !== '');
  const note = `\n[${figure(missing)} characters of further texts are missing. ${advice}]`;
  const short = kept.map((text, i) => shortenedAnswer(text, rooms[i] ?? 0) + (i === last && missing > 0 ? note : ''));
  return lengthOf(short) < lengthOf(texts) ? [...short, ...left.map(() => '')] : [...texts];
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

/**
 * Of so many texts that each has less room, the last ones are left out: what is said of one that is cut takes as much.
 */
const leastOfText = 200;
const fewTexts = 8;

const advice = 'Ask for less at a time to see it.';

function shortenedText(text: string, length: number): string {
  const kept = endingWell(cut(text, length));
  return `${kept}\n[${figure(text.length - kept.length)} of ${figure(text.length)} characters are missing. ${advice}]`;
}

/** Cut after the last paragraph, line, sentence or word, if that does not cost more than a fifth. */
function endingWell(text: string): string {
  const least = text.length * 0.8;
  for (const end of [/\n\s*\n/g, /\n/g, /[.!?](?=\s)|[。！？]/g, /\s/g]) {
    let last = -1;
    end.lastIndex = Math.floor(least);
    for (let match = end.exec(text); match; match = end.exec(text)) {
      last = match.index + (match[0].trim() === '' ? 0 : match[0].length);
      // Behind the whole match: a run of white space is read once, not once for each of its lines.
      end.lastIndex = match.index + match[0].length;
    }
    if (last >= 0) return text.slice(0, last).trimEnd();
  }
  return text;
}

/** A place of which something is missing. */
interface Loss {
  readonly path: readonly (string | number)[];
  readonly what: string;
}

function shortenedJson(whole: string, length: number): string | undefined {
  const text = whole.length <= mostRead ? whole : beginningOf(whole, Math.max(mostRead, 2 * length));
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || nestsDeeper(value, deepest)) return undefined;
  // What JavaScript holds otherwise than it is written, as the sign of -0, would be changed without a word.
  if (differencesIn(text).length > 0 || /[[:,]\s*-0(?:\.0*)?\s*[,\]}]/.test(text)) return undefined;
  const losses: Loss[] = [];
  const answer = pruned(value, length, [], losses);
  if (losses.length === 0 && text === whole) return JSON.stringify(answer);
  const behind = text === whole ? [] : [`all behind about the first ${figure(text.length)} characters`];
  return JSON.stringify({ shortened: note(whole.length, losses, behind), answer });
}

/** Levels of a value that is shortened as JSON, of which each is measured anew; a deeper one is shortened as text. */
const deepest = 30;

/** Of a longer text only so much is read, or twice what is wanted: megabytes would take seconds. */
const mostRead = 200_000;

/** As much of a JSON text, closed where it is cut: behind a value, or within a text where that is all there is. */
function beginningOf(text: string, length: number): string {
  let open = '';
  let ended = '';
  for (const { 0: token, index } of text.slice(0, length).matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{},]/g)) {
    if (token === '[') open = `]${open}`;
    else if (token === '{') open = `}${open}`;
    else if (token === ',') ended = text.slice(0, index) + open;
    else if (!token.startsWith('"')) open = open.slice(1);
    else if (ended === '' && index + token.length >= length - 1)
      ended = `${text.slice(0, index)}${token.replace(/\\u[0-9a-f]{0,3}$|"$/i, '')}"${open}`;
  }
  return ended;
}

function note(length: number, losses: readonly Loss[], behind: readonly string[]): string {
  const places = losses.slice(0, mostPlaces).map(({ path, what }) => `${what} at ${shortened(placeOf(path), 200)}`);
  const others = losses.length > mostPlaces ? [`something at ${figure(losses.length - mostPlaces)} other places`] : [];
  return `This is a part of an answer of ${figure(length)} characters. Missing: ${[...places, ...others, ...behind].join('; ')}. ${advice}`;
}

const mostPlaces = 10;

function placeOf(path: readonly (string | number)[]): string {
  return path.length === 0 ? 'the top' : jsonPointer(path);
}

/** As much of a value as there is room for, in its own form. */
function pruned(value: unknown, room: number, path: readonly (string | number)[], losses: Loss[]): unknown {
  if (sizeOf(value) <= room) return value;
  if (typeof value === 'string') return prunedText(value, room, path, losses);
  if (Array.isArray(value)) return prunedList(value, room, path, losses);
  return isObject(value) ? prunedObject(value, room, path, losses) : value;
}

function prunedText(text: string, room: number, path: Loss['path'], losses: Loss[]): string {
  const kept = cutToFit(text, room - 1);
  losses.push({ path, what: `${figure(text.length - kept.length)} of ${figure(text.length)} characters` });
  return `${kept}…`;
}

/**
 * The beginning of a text that takes so much room as JSON, where a quote takes two characters and a control character
 * six.
 */
function cutToFit(text: string, room: number): string {
  let [fits, tooLong] = [0, Math.max(1, Math.min(text.length, room) + 1)];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (JSON.stringify(cut(text, middle)).length <= room) fits = middle;
    else tooLong = middle;
  }
  return cut(text, fits);
}

/** The first items, whole while they fit; of one that is too large by itself a part, so that something is seen of it. */
function prunedList(list: readonly unknown[], room: number, path: Loss['path'], losses: Loss[]): unknown[] {
  const kept: unknown[] = [];
  let left = room - 2;
  for (const [index, item] of list.entries()) {
    const size = sizeOf(item) + 1;
    if (size > left && (kept.length > 0 || left < leastRoom)) break;
    kept.push(pruned(item, left, [...path, index], losses));
    left -= size;
  }
  if (kept.length < list.length) {
    losses.push({ path, what: `${figure(list.length - kept.length)} of ${figure(list.length)} items` });
  }
  return kept;
}

/**
 * Less room than this shows nothing of a list or an object. The longest number has as many characters, and cannot be
 * cut.
 */
const leastRoom = 24;

/** All properties, if there is some room for each; small ones whole. */
function prunedObject(object: JsonObject, room: number, path: Loss['path'], losses: Loss[]): JsonObject {
  const all = Object.entries(object);
  const named: (readonly [string, unknown])[] = [];
  let left = room - 2;
  for (const entry of all) {
    const least = JSON.stringify(entry[0]).length + 2 + Math.min(leastRoom, sizeOf(entry[1]));
    if (least > left) break;
    named.push(entry);
    left -= least;
  }
  if (named.length < all.length) {
    losses.push({
      path,
      what: `${figure(all.length - named.length)} of ${figure(all.length)} properties`,
    });
  }
  const names = named.reduce((sum, [name]) => sum + JSON.stringify(name).length + 2, 2);
  const rooms = shares(
    named.map(([, value]) => sizeOf(value)),
    room - names,
  );
  return Object.fromEntries(
    named.map(([name, value], index) => [name, pruned(value, rooms[index] ?? 0, [...path, name], losses)]),
  );
}

/** How much each gets of what there is: what it needs, or an equal share of what those leave that need less. */
function shares(needs: readonly number[], all: number): number[] {
  const result = needs.map(() => 0);
  let left = all;
  const order = needs.map((_, index) => index).sort((one, other) => (needs[one] ?? 0) - (needs[other] ?? 0));
  for (const [position, index] of order.entries()) {
    const share = Math.min(needs[index] ?? 0, Math.floor(left / (order.length - position)));
    result[index] = share;
    left -= share;
  }
  return result;
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value).length;
}

/** 12,345 */
function figure(count: number): string {
  return count.toLocaleString('en-US');
}
