import { invisibleAt, isList, isObject, jsonPointer, nestsDeeper, quote, visibleLine } from '../../json/index.js';
import { compileSchema } from '../../schema/index.js';
import type { Note, ReadCatalogueOptions } from './tool.js';
import { differencesIn } from '../wire/wire-text.js';
import { readHeaderAnnotations } from '../http/request-headers.js';

export function notesOn(definition: Readonly<Record<string, unknown>>, text?: string): Note[] {
  const { diagnostics } = compileSchema(definition['inputSchema']);
  return [
    ...notesOnFields(definition),
    ...invisibleIn(definition),
    ...(text === undefined ? [] : notesOnText(text)),
    ...notesOnRoot(definition['inputSchema']),
    ...diagnostics.map(({ code, message, schemaLocation }) => note(code, message, schemaLocation)),
  ];
}

const typedFields: readonly (readonly [field: string, type: 'string' | 'object', code: string])[] = [
  ['title', 'string', 'malformed-title'],
  ['description', 'string', 'malformed-description'],
  ['annotations', 'object', 'malformed-annotations'],
  ['outputSchema', 'object', 'malformed-output-schema'],
];

function* notesOnFields(definition: Readonly<Record<string, unknown>>): Generator<Note> {
  for (const [field, type, code] of typedFields) {
    const value = definition[field];
    if (value === undefined || (type === 'object' ? isObject(value) : typeof value === type)) continue;
    const isText = type === 'string';
    const what = isText ? `The ${field}` : `The field ${field}`;
    const wanted = isText ? 'a string; it is treated as missing.' : 'an object.';
    yield note(code, `${what} is ${kindOf(value)}, not ${wanted}`);
  }
  // 2025-11-25, Tools, Tool Names.
  if (!/^[A-Za-z0-9_.-]{1,128}$/.test(String(definition['name']))) yield note('unusual-name', unusualName);
}

const unusualName =
  'The name has characters or a length that the protocol advises against; models get a different one if their provider requires it.';

function notesOnText(text: string): Note[] {
  return differencesIn(text).map(({ pointer, what }) => {
    const [, inSchema] = /^\/inputSchema(.*)$/s.exec(pointer) ?? [];
    const message = `${what} Models get the parsed form, and arguments are checked against it.`;
    return note('inexact-text', message, inSchema === undefined ? undefined : `#${inSchema}`);
  });
}

const mostPlaces = 5;

/** Places in a tool's definition with characters that nobody sees, or that change the direction of text. */
export function invisibleIn(definition: Readonly<Record<string, unknown>>): Note[] {
  const notes: Note[] = [];
  const waiting: { value: unknown; path: readonly (string | number)[] }[] = [{ value: definition, path: [] }];
  for (let next = waiting.pop(); next && notes.length < mostPlaces; next = waiting.pop()) {
    const { value, path } = next;
    if (typeof value === 'string') notes.push(...noteOnInvisible(value, path));
    if (typeof value !== 'object' || value === null) continue;
    const names = Object.keys(value);
    if (!isList(value)) for (const name of names) notes.push(...noteOnInvisible(name, path));
    const members = value as Readonly<Record<string, unknown>>;
    for (const name of names.reverse()) waiting.push({ value: members[name], path: [...path, name] });
  }
  return notes;
}

function noteOnInvisible(text: string, path: readonly (string | number)[]): Note[] {
  const at = invisibleAt(text);
  if (at < 0) return [];
  const part = quote(text.slice(Math.max(0, at - 20), at + 20));
  const [field, ...rest] = path;
  const message = `Invisible characters, or characters that change the direction of text, at ${jsonPointer(path) || 'the root'}: ${part}.`;
  return [note('invisible-characters', message, field === 'inputSchema' ? `#${jsonPointer(rest)}` : undefined)];
}

function notesOnRoot(schema: unknown): Note[] {
  const type = isObject(schema) ? schema['type'] : undefined;
  if (type === 'object') return [];
  const isMissing = type === undefined;
  const what = isMissing ? 'lacks the required "type": "object"' : 'allows types other than object';
  const message = `The inputSchema ${what}; arguments are always an object anyway.`;
  return [isMissing ? note('root-without-type', message, '#') : note('root-type-list', message, '#/type')];
}

/** Why an entry of `tools/list` cannot be exposed as a tool; `taken` are the names of those before it. */
export function reasonToSkip(
  definition: unknown,
  { mirrorsHeaders, taken }: Required<ReadCatalogueOptions> & { taken: { has(name: string): boolean } },
): Note | undefined {
  if (!isObject(definition)) return note('not-an-object', `The entry is ${kindOf(definition)}, not a tool object.`);
  const name = definition['name'];
  if (typeof name !== 'string') return note('no-name', `The tool's name is ${kindOf(name)}; it must be a string.`);
  if (name.trim() === '') return note('no-name', 'The name of the tool is empty.');
  if (taken.has(name))
    return note('duplicate-name', `An earlier tool in the list is also called ${quote(name)}; that one is used.`);
  if (nestsDeeper(definition, maxLevels))
    return note('too-deep', `The tool nests more than ${maxLevels} levels deep, too deep to be handed to a model.`);
  const reason = reasonInSchema(definition['inputSchema']);
  if (reason || !mirrorsHeaders) return reason;
  // A call has to repeat arguments in the headers that the schema names, so that it cannot be made with a wrong name.
  const { fault } = readHeaderAnnotations(definition['inputSchema']);
  return fault && note('invalid-x-mcp-header', fault.message, fault.schemaLocation);
}

function reasonInSchema(schema: unknown): Note | undefined {
  if (schema === undefined) return note('input-schema-missing', 'The tool has no inputSchema.');
  if (!isObject(schema))
    return note('input-schema-not-an-object', `The inputSchema is ${kindOf(schema)}; it must be a JSON Schema object.`);
  const zod = 'The inputSchema is a serialised Zod object; the server has to convert it to JSON Schema.';
  if (isSerialisedZod(schema)) return note('input-schema-is-zod', zod);
  const type = schema['type'];
  // Arguments are always an object, so a schema that allows no object allows no call.
  if (type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'))) return undefined;
  const shown = JSON.stringify(type).slice(0, 100);
  return note('root-type', `The inputSchema is of type ${shown}; arguments are always an object.`, '#/type');
}

function note(code: string, message: string, schemaLocation?: string): Note {
  // The message contains the server's own words.
  return { code, message: visibleLine(message), ...(schemaLocation !== undefined && { schemaLocation }) };
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

/** JSON writers recurse and fail beyond a few thousand levels; the deepest of 5,522 published tools has 14. */
const maxLevels = 500;

/** True for the JSON of a Zod schema, or of its bare shape, which servers forget to convert. */
function isSerialisedZod(schema: Readonly<Record<string, unknown>>): boolean {
  if (isZodNode(schema)) return true;
  const values = Object.values(schema);
  return values.length > 0 && values.every((value) => isObject(value) && isZodNode(value));
}

/**
 * Zod 3 leaves `_def`, Zod 4 `def` and its `type` twice, others Standard Schema's `~standard`. A JSON Schema may have
 * properties of these names, but those are schemas.
 */
function isZodNode({ '~standard': standard, _def, def, type }: Readonly<Record<string, unknown>>): boolean {
  return (
    isObject(standard) ||
    (isObject(_def) && typeof _def['typeName'] === 'string') ||
    (isObject(def) && typeof type === 'string' && def['type'] === type)
  );
}
