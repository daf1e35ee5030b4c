import { describe, expect, test } from 'vitest';
import { signature } from '../../src/projections/index.js';
import { integer, members, object, string, texts, times, to } from '../../test-support/schemas/short.js';

const required = (...names: string[]) => ({ required: names });
const list = (items: unknown) => ({ type: 'array', items });

describe('signature', () => {
  test.each<[string, unknown]>([
    [
      'limit?: integer ≥ 0, query: string',
      object({ limit: { type: 'integer', minimum: 0 }, query: string }, required('query')),
    ],
    ['limit?: integer 1..100 | null', object({ limit: { type: ['integer', 'null'], minimum: 1, maximum: 100 } })],
    ['a?: number > 0 and ≤ 1', object({ a: { type: 'number', exclusiveMinimum: 0, maximum: 1 } })],
    ['a?: number > 0', object({ a: { type: 'number', minimum: 0, exclusiveMinimum: true } })],
    ['n?: integer', object({ n: { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 } })],
    ['s?: "a" | "b" | 3 | null', object({ s: { enum: ['a', 'b', 3, null] } })],
    ['k: "x"', object({ k: { const: 'x' } }, required('k'))],
    ['tags?: string[] | null', object({ tags: { anyOf: [list(string), { type: 'null' }] } })],
    ['a?: (string | integer)[]', object({ a: list({ type: ['string', 'integer'] }) })],
    ['id?: string (uuid)', object({ id: { type: 'string', format: 'uuid' } })],
    [
      'who: {name: string, age?: integer}[]',
      object({ who: list(object({ name: string, age: integer }, required('name'))) }, required('who')),
    ],
    ['n?: integer ≥ 0', object({ n: to('count') }, { $defs: { count: { type: 'integer', minimum: 0 } } })],
    ['n?: integer', object({ n: { allOf: [to('n')], description: 'how many' } }, { $defs: { n: integer } })],
    [
      '/^x-/?: any, [other names]?: string',
      object({}, { patternProperties: { '^x-': true }, additionalProperties: string }),
    ],
    ['"StartTime<"?: any, never?: never', object({ 'StartTime<': {}, never: false })],
    [
      'x?: string, {id: integer} | {name: string}',
      object(
        { x: string },
        { anyOf: [object({ id: integer }, required('id')), object({ name: string }, required('name'))] },
      ),
    ],
    ['', object({}, { anyOf: [required('id'), required('name')] })],
    ['', { $schema: 'http://json-schema.org/draft-07/schema#' }],
    ['', null],
  ])('A signature reads %s', (expected, schema) => {
    expect(signature({ inputSchema: schema })).toBe(expected);
  });

  test.each<[string, unknown]>([
    [
      'queries: object[], on?: date, limit?: integer ≥ 0 | null',
      object(
        {
          queries: list(object({ id: {} })),
          on: { type: 'string', format: 'date' },
          limit: { type: ['integer', 'null'], minimum: 0 },
        },
        required('queries'),
      ),
    ],
    [
      'filter?: object | string, kind?: "a" | "b"',
      object({ filter: { anyOf: [object({ a: {} }), string] }, kind: { enum: ['a', 'b'] } }),
    ],
  ])('A flat signature reads %s', (expected, schema) => {
    expect(signature({ inputSchema: schema }, { flat: true })).toBe(expected);
  });

  test('A signature refers to a recursive schema by its name', () => {
    const tree = object({ label: string, children: list(to('tree')) });
    const inputSchema = object({ tree: to('tree'), loop: to('loop') }, { $defs: { tree, loop: to('loop') } });
    expect(signature({ inputSchema })).toBe('tree?: {label?: string, children?: tree[]}, loop?: any');
  });

  test('A signature follows a reference to a name with a slash, however it is written', () => {
    const $defs = { 'a/b': integer };
    for (const $ref of ['#/$defs/a~1b', '#/$defs/a%2Fb', '#/%24defs/a~1b'])
      expect(signature({ inputSchema: object({ a: { $ref } }, { $defs }) }), $ref).toBe('a?: integer');
  });

  test('A signature is bounded, and counts the omitted parts', () => {
    const many = object(members(texts(100, 'parameter')));
    expect(signature({ inputSchema: many }, { maxLength: 60 })).toBe(
      'parameter0?: string, parameter1?: string, 98 more',
    );
    const wide = object({ a: { enum: times(1000, (length) => 'x'.repeat(length)) } });
    expect(signature({ inputSchema: wide }).length).toBeLessThanOrEqual(240);
  });

  test('A signature can have members of any name', () => {
    const inputSchema: unknown = JSON.parse(
      '{"properties":{"__proto__":{"type":"integer"},"constructor":{"$ref":"#/toString"}}}',
    );
    expect(signature({ inputSchema })).toBe('__proto__?: integer, constructor?: any');
  });
});
