import {
  bytesOf,
  doubledIn,
  equals,
  jsonPointer,
  JsonScanner,
  parseJson,
  quote,
  shortened,
  type Span,
  textOfBytes,
} from '../../json/index.js';
import type { WireText } from './envelope.js';

/**
 * A tool as it stood on the wire, to the character: the order of all names, numbers as they are written, doubled names,
 * white space. What the parsed form does not hold of it has a note. Cut out of the server's answer when asked for.
 */
export interface ToolText {
  readonly definition: string;
  readonly inputSchema: string;
}

/** The message of a batch, or the whole text where there is none. */
function messageIn(json: JsonScanner, batchIndex: number | undefined): Span | undefined {
  const root = json.root();
  return batchIndex === undefined ? root : [...json.items(root)][batchIndex];
}

/** What stands at the end of a path of names within a message, to the character. */
export function wireSlice(wire: WireText, path: readonly string[]): string | undefined {
  const json = new JsonScanner(wire.text);
  let span = messageIn(json, wire.batchIndex);
  for (const name of path) span = span && json.member(span, name);
  return span && json.slice(span);
}

/**
 * The texts of the tools in an answer to `tools/list`. Kept are the bytes of the answer: as a string, one character
 * beyond Latin-1 makes JavaScript take two bytes for each. Where the tools are in it is found out when the first is
 * asked for.
 */
export function textsOfTools({
  text,
  batchIndex,
}: WireText): (index: number, definition: unknown) => ToolText | undefined {
  const bytes = bytesOf(text);
  let places: Span[] | undefined;
  return (index, definition) => {
    places ??= placesOfTools(bytes, batchIndex);
    const place = places[index];
    if (!place) return undefined;
    const json = new JsonScanner(textOfBytes(bytes.subarray(place.start, place.end)));
    const schema = json.member(json.root(), 'inputSchema');
    // A text is only given out where it says what the tool says, whatever went wrong before.
    if (!schema || !says(json.text, definition)) return undefined;
    return { definition: json.text, inputSchema: json.slice(schema) };
  };
}

/** Where the tools stand in the bytes. */
function placesOfTools(bytes: Uint8Array, batchIndex: number | undefined): Span[] {
  const json = new JsonScanner(textOfBytes(bytes));
  const message = messageIn(json, batchIndex);
  const result = message && json.member(message, 'result');
  const tools = result && json.member(result, 'tools');
  const places: Span[] = [];
  let [at, byte] = [0, 0];
  for (const item of tools ? json.items(tools) : []) {
    const start = byte + bytesOf(json.slice({ start: at, end: item.start })).length;
    [at, byte] = [item.end, start + bytesOf(json.slice(item)).length];
    places.push({ start, end: byte });
  }
  return places;
}

function says(text: string, value: unknown): boolean {
  const parsed = parseJson(text);
  return equals(parsed, value) || JSON.stringify(parsed) === JSON.stringify(value);
}

/** A place where a JSON text says something else than what `JSON.parse` makes of it. */
interface TextDifference {
  readonly pointer: string;
  readonly what: string;
}

/** More places than this are counted no more: one suffices to read the text instead. */
const mostDifferences = 20;

/**
 * Where a JSON text says something else than what JavaScript holds of it: numbers beyond its precision or range, names
 * that stand twice, and names that look like integers, which come first in JavaScript. One pass, however deep it nests.
 */
export function differencesIn(text: string): TextDifference[] {
  const differences: TextDifference[] = [];
  for (const { path, scalar, names } of new JsonScanner(text).places()) {
    const what = names ? differenceOfNames(names) : differenceOfScalar(scalar);
    if (what !== undefined) differences.push({ pointer: jsonPointer(path()), what });
    if (differences.length >= mostDifferences) break;
  }
  return differences;
}

function differenceOfScalar(scalar = ''): string | undefined {
  if (!/^[-\d]/.test(scalar) || isSameNumber(scalar, Number(scalar))) return undefined;
  return `The number ${shortened(scalar, 60)} is held as ${Number(scalar)}.`;
}

function differenceOfNames(names: readonly string[]): string | undefined {
  const doubled = doubledIn(names);
  if (doubled !== undefined) return `The name ${quote(doubled)} occurs twice; the last one counts.`;
  return isReordered(names) ? 'Names that look like integers come first, in ascending order.' : undefined;
}

function isReordered(names: readonly string[]): boolean {
  if (!names.some((name) => /^\d/.test(name))) return false;
  const held = Object.keys(Object.fromEntries(names.map((name) => [name, 0])));
  return held.some((name, index) => name !== names[index]);
}

/** Whether a number, as it is written, is the one that JavaScript holds: to the last digit. */
function isSameNumber(written: string, held: number): boolean {
  if (!Number.isFinite(held)) return false;
  // So few digits are always held.
  if (written.length <= 15 && !/e/i.test(written)) return true;
  const [digits, exponent] = normalised(written);
  const [heldDigits, heldExponent] = normalised(String(held));
  return digits === heldDigits && (digits === '' || exponent === heldExponent);
}

/** The digits without zeros at either end, and the power of ten that the first of them stands for. */
function normalised(number: string): [digits: string, exponent: number] {
  const [, whole = '', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const all = whole + fraction;
  const leading = /^0*/.exec(all)?.[0].length ?? 0;
  return [all.slice(leading).replace(/0+$/, ''), whole.length - leading + Number(exponent)];
}
