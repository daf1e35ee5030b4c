import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import type * as zod from 'zod';
import type * as converter from 'zod-to-json-schema';
import { schemaFacade } from '../../src/projections/zod/index.js';
import { modelSchema } from '../../src/projections/index.js';
import { sampled } from '../../test-support/law-runs.js';
import { corpusTools } from '../../test-support/schemas/corpus.js';
import { closed, integer, members, nested, object } from '../../test-support/schemas/short.js';
import { string, texts, times, to } from '../../test-support/schemas/short.js';
import { corpusIsComplete, sharedFolder } from '../../test-support/shared.js';
import { disagreements, fateOf, fatesOfAll } from '../../test-support/schemas/same-meaning.js';

// Loaded as in n8n: CommonJS, one copy of each.
const require = createRequire(import.meta.url);
const { z } = require('zod') as typeof zod;
const { zodToJsonSchema } = require('zod-to-json-schema') as typeof converter;
// Zod 3's own types do not fit LangChain's under `exactOptionalPropertyTypes`.
const { toJsonSchema } = require('@langchain/core/utils/json_schema') as { toJsonSchema: (schema: unknown) => unknown };

type Schema = Record<string, unknown>;

/** The schema at a node that knows only Zod, without the converter's `$schema`. */
function told(schema: object): Schema {
  const { $schema, ...rest } = zodToJsonSchema(schemaFacade(schema, { z })) as Schema;
  expect($schema).toBe('http://json-schema.org/draft-07/schema#');
  return rest;
}

const ofOne = (a: unknown, more: object = {}) => object({ a }, more);
const list = (items: unknown, more: object = {}) => ({ type: 'array', items, ...more });
const open = { additionalProperties: {} };

test.each<[what: string, property: unknown]>([
  ['strings', { type: 'string', minLength: 1, maxLength: 9, pattern: '^https?://[a-z]+$', format: 'uri' }],
  ['annotated strings', { type: 'string', description: 'An address', default: 'http://a' }],
  ['a pattern that is no RegExp', { type: 'string', pattern: '(' }],
  ...['date', 'date-time', 'duration', 'email', 'time', 'uri', 'uuid'].map((format): [string, unknown] => [
    `the format ${format}`,
    { type: 'string', format },
  ]),
  [
    'numbers',
    { type: 'number', exclusiveMinimum: 0, maximum: 1, multipleOf: 0.1, default: 0.5, description: 'A share' },
  ],
  ['integers', { type: 'integer', minimum: -1, exclusiveMaximum: 2 ** 53 }],
  ['booleans and null', list({ type: 'boolean', default: false }, { default: null })],
  ['enumerations of strings', { type: 'string', enum: ['a', 'b'], description: 'One of two', default: 'b' }],
  ['constants', { type: 'string', const: 'a' }],
  ['lists of types', { type: ['null', 'string'], default: null }],
  ['arrays', list(list({}, { minItems: 2 }), { minItems: 0, maxItems: 3 })],
  ['sets', { type: 'array', uniqueItems: true, items: string, maxItems: 3 }],
  ['objects', object({ b: string, c: { type: 'null' } }, { required: ['c'], additionalProperties: integer })],
  ['maps', { type: 'object', additionalProperties: integer }],
  ['alternatives', { anyOf: [{ type: 'string', 'x-unit': 'm' }, { enum: [1, null] }, {}], description: 'Either' }],
  ['anything', list({ description: 'Anything' })],
])('A part that Zod can express is sent character for character: %s', (_what, property) => {
  const schema = ofOne(property, { required: ['a'], additionalProperties: false });
  expect(JSON.stringify(told(schema))).toBe(JSON.stringify(schema));
});

test.each<[what: string, property: unknown]>([
  ['enumerations of several types', { enum: ['a', 3, null], description: 'One of three' }],
  ['numbers of an enumeration', { type: 'integer', enum: [1, 2] }],
  ['integer or null, with bounds', { type: ['integer', 'null'], minimum: 0, format: 'uint', default: 10 }],
  ['pattern properties', { type: 'object', patternProperties: { '^x-': string }, additionalProperties: false }],
  ['oneOf, allOf, not', { oneOf: [{ allOf: [string, { not: { const: '' } }] }, { type: 'null' }] }],
  ['if', { if: integer, then: { minimum: 0 }, else: false }],
  ['tuples', { type: 'array', prefixItems: [string, integer], items: false }],
  ['nullable', { type: 'string', nullable: true }],
  ['unknown formats', { type: 'string', format: 'hostname' }],
  ['unknown keywords', { type: 'string', title: 'Host', examples: ['localhost'], 'x-order': 1 }],
  ['booleans of draft-04', { type: 'number', minimum: 0, exclusiveMinimum: true }],
  ['properties without a type', { properties: { b: string }, required: ['b'] }],
])('A part that Zod cannot express is quoted: %s', (_what, property) => {
  expect(JSON.stringify(told(ofOne(property)))).toBe(JSON.stringify(ofOne({ anyOf: [property] }, open)));
});

test('A quoted part omits titles that repeat the name, as Python servers write them', () => {
  const search_query = { anyOf: [string, { type: 'null' }], default: null };
  const page = { type: 'integer', default: 1 };
  const titled = { search_query: { ...search_query, title: 'Search Query' }, page: { ...page, title: 'Page' } };
  expect(told(object(titled, { title: 'searchArguments' }))).toEqual(object({ search_query, page }, open));
  const first = { ...page, title: 'The first' };
  expect(told(ofOne(first))).toEqual(ofOne({ anyOf: [first] }, open));
});

test('Only the part that Zod cannot express is quoted', () => {
  const quoted = { enum: [1, null] };
  expect(told(ofOne(list(quoted)))).toEqual(ofOne(list({ anyOf: [quoted] }), open));
});

describe('references', () => {
  const person = closed({ name: string });
  const $defs = { person };

  const inPlace: Record<string, [schema: Schema, properties: Schema]> = {
    'are replaced by their targets': [{ properties: { a: to('person') }, $defs }, { a: person }],
    'keep the keywords beside them': [
      { properties: { a: { ...to('person'), description: 'The owner' } }, $defs },
      { a: { ...person, description: 'The owner' } },
    ],
    'to properties are replaced by their targets': [
      { properties: { a: person, b: { $ref: '#/properties/a' } } },
      { a: person, b: person },
    ],
    'with other assertions beside them become allOf': [
      { properties: { a: { ...to('person'), required: ['name'] } }, $defs },
      { a: { anyOf: [{ required: ['name'], allOf: [person] }] } },
    ],
    'that are recursive point into the sent schema': [
      { properties: { a: to('tree') }, $defs: { tree: object({ 'a/b': to('tree') }) } },
      { a: { anyOf: [object({ 'a/b': { $ref: '#/properties/a/anyOf/0' } })] } },
    ],
    'that are recursive are cut if hosts could not point to the schema': [
      { properties: { 'a/b': to('tree') }, $defs: { tree: ofOne(to('tree')) } },
      { 'a/b': { anyOf: [ofOne({})] } },
    ],
    'to the root are replaced, too': [
      { properties: { a: list({ $ref: '#' }) } },
      { a: { anyOf: [list(ofOne(list({ $ref: '#/properties/a/anyOf/0/items' })))] } },
    ],
    'to nothing, to another document or to themselves accept anything': [
      { properties: { a: to('x'), b: { $ref: 'https://example.com/b' }, c: { $ref: '#/properties/c' } } },
      { a: {}, b: {}, c: {} },
    ],
  };
  test.each(Object.entries(inPlace))('References %s', (_what, [schema, properties]) => {
    expect(told({ type: 'object', ...schema })).toEqual({ type: 'object', properties, ...open });
  });

  test('References at the root, as generators write them, are followed', () => {
    const required = ['name'];
    const schema = { $ref: '#/definitions/person', definitions: { person: { ...person, required } } };
    expect(told(schema)).toEqual({ ...person, required });
  });

  test('Under human review, references lead to the right place', () => {
    const recursive = ofOne({ anyOf: [to('list')] }, { $defs: { list: { items: to('list') } } });
    const facade = schemaFacade(recursive, { z });
    const reviewed = z.object({ toolParameters: facade.describe('Input parameters for the tool') });
    const a = { anyOf: [{ anyOf: [{ items: { $ref: '#/properties/toolParameters/properties/a/anyOf/0/anyOf/0' } }] }] };
    expect(toJsonSchema(reviewed)).toMatchObject({ properties: { toolParameters: { properties: { a } } } });
  });
});

describe('conditions on all arguments together', () => {
  const conditions: Record<string, [schema: Schema, words: string]> = {
    alternatives: [{ anyOf: [{ required: ['a'] }, { minimum: 5 }] }, '{"anyOf":[{"required":["a"]},{"minimum":5}]}'],
    'pattern properties and a closed schema': [
      { patternProperties: { '^x-': string }, additionalProperties: false },
      '{"properties":{"a":true},"patternProperties":{"^x-":{"type":"string"}},"additionalProperties":false}',
    ],
    'required properties that are not listed': [{ required: ['a', 'b'] }, '{"required":["b"]}'],
  };
  test.each(Object.entries(conditions))(
    'Conditions on all arguments together are written in the description: %s',
    (_what, [keywords, words]) => {
      const { description } = told(ofOne(string, { description: 'Finds.', ...keywords }));
      expect(description).toBe(`Finds.\nMust also match this JSON Schema: ${words}`);
    },
  );

  test('Properties that a condition allows are not forbidden', () => {
    const schema = ofOne({}, { patternProperties: { '^x-': string }, additionalProperties: false });
    expect(told(schema)['additionalProperties']).toEqual(string);
  });

  test('Under human review, conditions are written after the words of n8n', () => {
    const facade = schemaFacade({ type: 'object', minProperties: 1, description: 'Finds.' }, { z });
    expect(facade.describe('Parameters').description).toBe(
      'Parameters\nFinds.\nMust also match this JSON Schema: {"minProperties":1}',
    );
  });
});

test('A host that writes into a schema changes nothing for the next host', () => {
  const schema = object({ a: { nullable: true, default: [1] }, b: { type: 'string', enum: ['b'], default: 'b' } });
  const facade = schemaFacade(deepFrozen(schema), { z });
  const before = JSON.stringify(zodToJsonSchema(facade));
  scribble(zodToJsonSchema(facade));
  expect(JSON.stringify(zodToJsonSchema(facade))).toBe(before);
});

describe('hostile schemas', () => {
  const values = { enum: texts(5000, 'value ') };
  const deep = (wrap: (inner: unknown) => object) => nested(20_000, wrap, string);
  const next = (at: number) => to(`d${at + 1}`);
  const to400 = members(texts(400), () => to('e'));

  const hostile: Record<string, Schema> = {
    'objects nested 20,000 deep': ofOne(deep(ofOne)),
    'alternatives nested 20,000 deep': ofOne(deep((inner) => ({ anyOf: [inner] }))),
    'references that double thirty times': ofOne(to('d0'), {
      $defs: members(texts(31, 'd'), (at) => ({ anyOf: [next(at), next(at)] })),
    }),
    'a chain of 20,000 references': ofOne(to('d0'), { $defs: members(texts(20_000, 'd'), next) }),
    '400 references to 2,000 properties': object(to400, {
      $defs: { e: object(members(texts(2000), () => ({ nullable: true }))) },
    }),
    '100,000 properties of a property': ofOne(object(members(texts(100_000)))),
    '100,000 alternatives at the root': ofOne({}, { anyOf: times(100_000, () => ({ required: ['a'] })) }),
    '5,000 references to 5,000 values at the root': ofOne(
      {},
      { allOf: times(5000, () => to('e')), $defs: { e: values } },
    ),
    '400 references to 5,000 values': object(to400, { $defs: { e: values } }),
    'references round in a circle': ofOne(to('a'), { $defs: { a: to('b'), b: to('a') } }),
  };
  test.each(Object.entries(hostile))('A hostile schema is sent within bounds: %s', (_what, schema) => {
    expect(JSON.stringify(told(schema)).length).toBeLessThan(2_000_000);
  });

  test('A hostile schema is sent with properties of any name', () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"enum":[{"__proto__":1}]},"constructor":{}}}') as object;
    const names = Object.keys((schemaFacade(schema, { z }) as unknown as { shape: object }).shape);
    expect(names).toEqual(['__proto__', 'constructor']);
  });
});

const folder = sharedFolder('corpus');

describe.skipIf(!folder)('the schemas of real servers, sent to a node that knows only Zod', () => {
  const tools = (folder ? corpusTools(folder) : []).map(({ server, name, inputSchema }) => {
    const schema = modelSchema({ inputSchema: inputSchema as Schema });
    return { server, name, schema, told: told(schema) };
  });

  test.skipIf(!corpusIsComplete())('The schemas of real servers lose only what is named here (all recordings)', () => {
    const counts: Record<string, number> = {};
    for (const fate of tools.map((tool) => fateOf(tool.schema, tool.told))) counts[fate] = (counts[fate] ?? 0) + 1;
    expect(counts).toEqual(fatesOfAll);
  });

  test('The schemas of real servers accept and reject the same arguments, in words if Zod cannot express it', () => {
    const changed = sampled(tools).filter(
      ({ schema, told: result }) => fateOf(schema, result) !== 'identical but for $schema',
    );
    const differing = changed
      .filter((tool) => disagreements(tool.schema, tool.told).length > 0)
      .map(({ server, name }) => `${server} ${name}`);
    expect(differing).toEqual([]);
  });
});

function deepFrozen<T extends object>(value: T): T {
  for (const inner of Object.values(value))
    if (typeof inner === 'object' && inner !== null) deepFrozen(inner as object);
  return Object.freeze(value);
}

function scribble(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Object.values(value).forEach(scribble);
  Object.assign(value, Array.isArray(value) ? { 0: 'scribbled' } : { type: 'scribbled' });
}

test('An object of more than 500 properties keeps their names and accepts any values', () => {
  const facade = schemaFacade(object(members(texts(600))), { z });
  expect(Object.keys((zodToJsonSchema(facade) as { properties: object }).properties)).toHaveLength(600);
});
