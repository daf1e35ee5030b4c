import { invisibleAt, isList, isObject, jsonPointer, quote, visibleLine } from '../../json/index.js';
import { compileSchema } from '../../schema/index.js';
import { kindOf, note } from './skipped.js';
import type { Note } from './tool.js';
import { differencesIn } from '../wire/wire-text.js';

export function notesOn(definition: Readonly<Record<string, unknown>>, text?: string): Note[] {
  return [
    ...notesOnFields(definition),
    ...invisibleIn(definition),
    ...(text === undefined ? [] : notesOnText(text)),
    ...notesOnRoot(definition['inputSchema']),
    ...compileSchema(definition['inputSchema']).diagnostics,
  ].map(({ code, message, schemaLocation }) => note(code, message, schemaLocation));
}

const typedFields = [
  { field: 'title', type: 'string', end: 'a string; it is treated as missing.' },
  { field: 'description', type: 'string', end: 'a string; it is treated as missing.' },
  { field: 'annotations', type: 'object', end: 'an object.' },
  { field: 'outputSchema', type: 'object', code: 'malformed-output-schema', end: 'an object.' },
] as const;

function* notesOnFields(definition: Readonly<Record<string, unknown>>): Generator<Note> {
  for (const { field, type, end, ...more } of typedFields) {
    const value = definition[field];
    if (value === undefined || (type === 'object' ? isObject(value) : typeof value === type)) continue;
    const what = type === 'object' ? `The field ${field}` : `The ${field}`;
    yield { code: `malformed-${field}`, message: `${what} is ${kindOf(value)}, not ${end}`, ...more };
  }
  // 2025-11-25, Tools, Tool Names.
  if (!/^[A-Za-z0-9_.-]{1,128}$/.test(String(definition['name']))) {
    yield {
      code: 'unusual-name',
      message:
        'The name has characters or a length that the protocol advises against; models get a different one if their provider requires it.',
    };
  }
}

function notesOnText(text: string): Note[] {
  return differencesIn(text).map(({ pointer, what }) => ({
    code: 'inexact-text',
    message: `${what} Models get the parsed form, and arguments are checked against it.`,
    ...(pointer.startsWith('/inputSchema') && { schemaLocation: `#${pointer.slice('/inputSchema'.length)}` }),
  }));
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
  return [
    {
      code: 'invisible-characters',
      message: `Invisible characters, or characters that change the direction of text, at ${visibleLine(jsonPointer(path)) || 'the root'}: ${part}.`,
      ...(field === 'inputSchema' && { schemaLocation: `#${jsonPointer(rest)}` }),
    },
  ];
}

function notesOnRoot(schema: unknown): Note[] {
  const type = isObject(schema) ? schema['type'] : undefined;
  if (type === 'object') return [];
  const isMissing = type === undefined;
  const what = isMissing ? 'lacks the required "type": "object"' : 'allows types other than object';
  return [
    {
      code: isMissing ? 'root-without-type' : 'root-type-list',
      message: `The inputSchema ${what}; arguments are always an object anyway.`,
      schemaLocation: isMissing ? '#' : '#/type',
    },
  ];
}
