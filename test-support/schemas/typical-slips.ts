/** A typical slip of a model: the tool's schema, the malformed arguments, and the intended ones. */
interface TypicalSlip {
  readonly what: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly sent: Readonly<Record<string, unknown>>;
  readonly meant: Readonly<Record<string, unknown>>;
}

const string = { type: 'string' };
const integer = { type: 'integer' };
const number = { type: 'number' };
const boolean = { type: 'boolean' };
const strings = { type: 'array', items: string };
const filter = { type: 'object', properties: { field: string, value: string }, required: ['field', 'value'] };
const status = { enum: ['open', 'in_progress', 'done'] };
const optional = (schema: unknown) => ({ anyOf: [schema, { type: 'null' }], default: null });

/** A tool with one more property than the one in question. */
const a = (what: string, schema: unknown, sent: unknown, meant: unknown): TypicalSlip => ({
  what,
  schema: object({ a: schema, q: string }),
  sent: { a: sent, q: 'x' },
  meant: meant === undefined ? { q: 'x' } : { a: meant, q: 'x' },
});
const whole = (
  what: string,
  properties: object,
  sent: object,
  meant: object,
  required: string[] = [],
): TypicalSlip => ({
  what,
  schema: object(properties, required),
  sent: { ...sent },
  meant: { ...meant },
});

function object(properties: object, required: string[] = []) {
  return { type: 'object', properties, required, additionalProperties: false };
}

export const typicalSlips: readonly TypicalSlip[] = [
  a('an integer as text', integer, '10', 10),
  a('an integer as text for a number', number, '10', 10),
  a('an integer as text for an optional', optional(integer), '10', 10),
  a('integers as texts in a list', { type: 'array', items: integer }, ['1', '2'], [1, 2]),
  a('a fraction as text', number, '0.5', 0.5),
  a('"true" for a boolean', boolean, 'true', true),
  a('"True" for a boolean', boolean, 'True', true),
  a('"FALSE" for a boolean', boolean, 'FALSE', false),
  a('a number for a text', string, 25, '25'),
  a('a number in a list of texts', strings, ['a', 5], ['a', '5']),
  a('a boolean for a text', string, true, 'true'),
  a('null for an optional', string, null, undefined),
  a('null for an optional integer', integer, null, undefined),
  a('null for an optional list', strings, null, undefined),
  a('"null" for an optional integer', integer, 'null', undefined),
  a('"None" for an optional integer', integer, 'None', undefined),
  a('an empty text for an optional integer', integer, '', undefined),
  a('an empty text for an optional enum', status, '', undefined),
  a('"null" where null is accepted', optional(integer), 'null', null),
  a('an enum in capitals', status, 'OPEN', 'open'),
  a('an enum with a space', status, 'In Progress', 'in_progress'),
  a('an enum with a hyphen', status, 'in-progress', 'in_progress'),
  a('an enum in a list', { type: 'array', items: status }, ['Done'], ['done']),
  a('a list as JSON text', strings, '["a", "b"]', ['a', 'b']),
  a('an object as JSON text', filter, '{"field": "f", "value": "v"}', { field: 'f', value: 'v' }),
  a('a list of objects as JSON text', { type: 'array', items: filter }, '[{"field":"f","value":"v"}]', [
    { field: 'f', value: 'v' },
  ]),
  a('a list as Python text', strings, "['a', 'b']", ['a', 'b']),
  a('an object as Python text', { type: 'object' }, "{'a': True, 'b': None}", { a: true, b: null }),
  a('a tuple', { type: 'array', items: number }, '(1.5, 2)', [1.5, 2]),
  a('JSON text with a trailing comma', strings, '["a", "b",]', ['a', 'b']),
  a('JSON text in a code fence', strings, '```json\n["a"]\n```', ['a']),
  a('JSON text encoded twice', strings, '"[\\"a\\"]"', ['a']),
  a('a list of one for a text', string, ['a'], 'a'),
  a('a list of one for an integer', integer, [5], 5),
  a('a single text for a list', strings, 'a', ['a']),
  a('a single object for a list', { type: 'array', items: filter }, { field: 'f', value: 'v' }, [
    { field: 'f', value: 'v' },
  ]),
  whole('camelCase for snake_case', { max_results: integer }, { maxResults: 5 }, { max_results: 5 }),
  whole('snake_case for camelCase', { maxResults: integer }, { max_results: 5 }, { maxResults: 5 }, ['maxResults']),
  whole('everything within "arguments"', { q: string }, { arguments: { q: 'x' } }, { q: 'x' }, ['q']),
  whole('everything within "input", as JSON text', { q: string }, { input: '{"q":"x"}' }, { q: 'x' }, ['q']),
  a('several texts with commas', strings, 'a, b', ['a', 'b']),
  a('a number with a thousands separator', number, '1,234.50', 1234.5),
  a('a value that is none of the enum', status, 'finished', 'done'),
  whole('a property that nobody knows', { q: string }, { q: 'x', verbose: true }, { q: 'x' }),
  whole('a required property left out', { q: string, n: integer }, { q: 'x' }, { q: 'x', n: 1 }, ['q', 'n']),
];
