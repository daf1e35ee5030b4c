import { binaryOf, bytesOf, doubledIn, equals, isHeldNumber, jsonPointer, JsonScanner } from '../../json/index.js';
import { parseJson, quote, shortened, textOfBytes } from '../../json/index.js';
import type { Span } from '../../json/index.js';
import type { WireText } from './envelope.js';

/**
 * A tool's text on the wire, to the character: the order of names, numbers as they are written, duplicate keys, white
 * space. A note names everything that the parsed form cannot represent.
 */
export interface ToolText {
  readonly definition: string;
  readonly inputSchema: string;
}

export function wireSlice(wire: WireText, path: readonly string[]): string | undefined {
  const json = new JsonScanner(wire.text);
  const span = placeIn(json, wire, path);
  return span && json.slice(span);
}

function placeIn(json: JsonScanner, { batchIndex }: WireText, path: readonly string[]): Span | undefined {
  const root = json.root();
  const message = batchIndex === undefined ? root : [...json.items(root)][batchIndex];
  return path.reduce((span, name) => span && json.member(span, name), message);
}

/**
 * The texts of the tools in an answer to `tools/list`, looked for when the first is asked for. Held as bytes: a string
 * with one character beyond Latin-1 takes two for each.
 */
export function textsOfTools({ text, ...place }: WireText): (index: number, value: unknown) => ToolText | undefined {
  const bytes = bytesOf(text);
  let places: Span[] | undefined;
  return (index, value) => {
    // As binary, a text has one character for each byte; bytes beyond ASCII occur in strings only.
    places ??= placesOfTools({ ...place, text: binaryOf(bytes) });
    const { start, end } = places[index] ?? {};
    if (start === undefined) return undefined;
    const json = new JsonScanner(textOfBytes(bytes.subarray(start, end)));
    const schema = json.member(json.root(), 'inputSchema');
    // The text is returned only if it says the same as the tool, whatever went wrong before.
    return schema && says(json.text, value) ? { definition: json.text, inputSchema: json.slice(schema) } : undefined;
  };
}

function placesOfTools(wire: WireText): Span[] {
  const json = new JsonScanner(wire.text);
  const tools = placeIn(json, wire, ['result', 'tools']);
  return tools ? [...json.items(tools)] : [];
}

function says(text: string, value: unknown): boolean {
  const parsed = parseJson(text);
  return equals(parsed, value) || JSON.stringify(parsed) === JSON.stringify(value);
}

/** One suffices to read the text instead. */
const mostDifferences = 20;

/**
 * The places at which a JSON text differs from JavaScript's value for it: numbers beyond its precision or range,
 * duplicate keys, and names that look like integers, which come first in JavaScript. One pass, however deep it nests.
 */
export function differencesIn(text: string): { pointer: string; what: string }[] {
  const differences: { pointer: string; what: string }[] = [];
  for (const { path, scalar, names } of new JsonScanner(text).places()) {
    const what = names ? differenceOfNames(names) : differenceOfScalar(scalar);
    if (what !== undefined) differences.push({ pointer: jsonPointer(path()), what });
    if (differences.length >= mostDifferences) break;
  }
  return differences;
}

function differenceOfScalar(scalar = ''): string | undefined {
  if (!/^[-\d]/.test(scalar) || isHeldNumber(scalar)) return undefined;
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
