import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import type * as zod from 'zod';
import type * as converter from 'zod-to-json-schema';
import { schemaFacade } from '../../src/projections/zod/index.js';
import { modelSchema } from '../../src/projections/index.js';
import { corpusTools } from '../../test-support/schemas/corpus.js';
import { corpusIsComplete, sharedFolder } from '../../test-support/shared.js';
import { disagreements, fateOf, fatesOfAll } from '../nodes/same-meaning.js';

// As n8n loads them: CommonJS, one copy of each.
const require = createRequire(import.meta.url);
const { z } = require('zod') as typeof zod;
const { zodToJsonSchema } = require('zod-to-json-schema') as typeof converter;
// Zod 3's own types do not fit LangChain's under `exactOptionalPropertyTypes`.
const { toJsonSchema } = require('@langchain/core/utils/json_schema') as { toJsonSchema: (schema: unknown) => unknown };

type Schema = Record<string, unknown>;

/** What a node is told that knows only Zod, without the dialect that the converter claims. */
function told(schema: object): Schema {
  const { $schema, ...rest } = zodToJsonSchema(schemaFacade(schema, { z })) as Schema;
  expect($schema).toBe('http://json-schema.org/draft-07/schema#');
  return rest;
}

const ofOne = (property: unknown, more: object = {}) => ({ type: 'object', properties: { a: property }, ...more });

describe('what Zod can say is sent character for character', () => {
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
    ['booleans and null', { type: 'array', items: { type: 'boolean', default: false }, default: null }],
    ['enumerations of strings', { type: 'string', enum: ['a', 'b'], description: 'One of two', default: 'b' }],
    ['constants', { type: 'string', const: 'a' }],
    ['lists of types', { type: ['null', 'string'], default: null }],
    ['arrays', { type: 'array', items: { type: 'array', items: {}, minItems: 2 }, minItems: 0, maxItems: 3 }],
    ['sets', { type: 'array', uniqueItems: true, items: { type: 'string' }, maxItems: 3 }],
    [
      'objects',
      {
        type: 'object',
        properties: { b: { type: 'string' }, c: { type: 'null' } },
        required: ['c'],
        additionalProperties: { type: 'integer' },
      },
    ],
    ['maps', { type: 'object', additionalProperties: { type: 'integer' } }],
    ['alternatives', { anyOf: [{ type: 'string', 'x-unit': 'm' }, { enum: [1, null] }, {}], description: 'Either' }],
    ['anything', { type: 'array', items: { description: 'Anything' } }],
  ])('%s', (_what, property) => {
    const schema = ofOne(property, { required: ['a'], additionalProperties: false });
    expect(JSON.stringify(told(schema))).toBe(JSON.stringify(schema));
  });
});

describe('what Zod cannot say is quoted', () => {
  test.each<[what: string, property: unknown]>([
    ['enumerations of several types', { enum: ['a', 3, null], description: 'One of three' }],
    ['numbers of an enumeration', { type: 'integer', enum: [1, 2] }],
    ['integer or null, with bounds', { type: ['integer', 'null'], minimum: 0, format: 'uint', default: 10 }],
    [
      'pattern properties',
      { type: 'object', patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false },
    ],
    [
      'oneOf, allOf, not, if',
      {
        oneOf: [
          { allOf: [{ type: 'string' }, { not: { const: '' } }] },
          { if: { type: 'integer' }, then: { minimum: 0 }, else: false },
        ],
      },
    ],
    ['tuples', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false }],
    ['nullable', { type: 'string', nullable: true }],
    [
      'unknown keywords and formats',
      { type: 'string', format: 'hostname', title: 'Host', examples: ['localhost'], 'x-order': 1 },
    ],
    ['booleans of draft-04', { type: 'number', minimum: 0, exclusiveMinimum: true }],
    ['properties without a type', { properties: { b: { type: 'string' } }, required: ['b'] }],
  ])('%s', (_what, property) => {
    expect(JSON.stringify(told(ofOne(property)))).toBe(
      JSON.stringify(ofOne({ anyOf: [property] }, { additionalProperties: {} })),
    );
  });

  test('but for titles that repeat the name, as Python servers write them', () => {
    const query = { anyOf: [{ type: 'string' }, { type: 'null' }], default: null };
    const page = { type: 'integer', default: 1 };
    const schema = (title: (text: string) => object) => ({
      type: 'object',
      properties: { search_query: { ...query, ...title('Search Query') }, page: { ...page, ...title('Page') } },
    });
    expect(told({ ...schema((title) => ({ title })), title: 'searchArguments' })).toEqual({
      ...schema(() => ({})),
      additionalProperties: {},
    });
    expect(told(ofOne({ ...page, title: 'The first' }))).toMatchObject({
      properties: { a: { anyOf: [{ title: 'The first' }] } },
    });
  });

  test('no deeper than it has to be', () => {
    const quoted = { enum: [1, null] };
    expect(told(ofOne({ type: 'array', items: quoted }))).toEqual(
      ofOne({ type: 'array', items: { anyOf: [quoted] } }, { additionalProperties: {} }),
    );
  });
});

describe('references', () => {
  const person = { type: 'object', properties: { name: { type: 'string' } }, additionalProperties: false };
  const open = { additionalProperties: {} };
  const within = { type: 'array', items: { $ref: '#/properties/a/anyOf/0/items' } };

  test.each<[what: string, schema: Schema, properties: Schema]>([
    ['are put in place', { properties: { a: { $ref: '#/$defs/person' } }, $defs: { person } }, { a: person }],
    [
      'keep what stands beside them',
      { properties: { a: { $ref: '#/$defs/person', description: 'The owner' } }, $defs: { person } },
      { a: { ...person, description: 'The owner' } },
    ],
    [
      'into properties are followed',
      { properties: { a: person, b: { $ref: '#/properties/a' } } },
      { a: person, b: person },
    ],
    [
      'that assert something else as well become allOf',
      { properties: { a: { $ref: '#/$defs/person', required: ['name'] } }, $defs: { person } },
      { a: { anyOf: [{ required: ['name'], allOf: [person] }] } },
    ],
    [
      'that lead back lead to where the schema is told',
      {
        properties: { a: { $ref: '#/$defs/tree' } },
        $defs: { tree: { type: 'object', properties: { 'a/b': { $ref: '#/$defs/tree' } } } },
      },
      { a: { anyOf: [{ type: 'object', properties: { 'a/b': { $ref: '#/properties/a/anyOf/0' } } }] } },
    ],
    [
      'that lead back end where hosts could not point to the schema',
      {
        properties: { 'a/b': { $ref: '#/$defs/tree' } },
        $defs: { tree: { type: 'object', properties: { a: { $ref: '#/$defs/tree' } } } },
      },
      { 'a/b': { anyOf: [{ type: 'object', properties: { a: {} } }] } },
    ],
    [
      'to the root as well',
      { properties: { a: { type: 'array', items: { $ref: '#' } } } },
      { a: { anyOf: [{ type: 'array', items: { type: 'object', properties: { a: within } } }] } },
    ],
    [
      'to nothing, elsewhere or themselves are anything',
      { properties: { a: { $ref: '#/$defs/x' }, b: { $ref: 'https://example.com/b' }, c: { $ref: '#/properties/c' } } },
      { a: {}, b: {}, c: {} },
    ],
  ])('%s', (_what, schema, properties) => {
    expect(told({ type: 'object', ...schema })).toEqual({ type: 'object', properties, ...open });
  });

  test('at the root, as generators write them, are followed', () => {
    const schema = { $ref: '#/definitions/person', definitions: { person: { ...person, required: ['name'] } } };
    expect(told(schema)).toEqual({ ...person, required: ['name'] });
  });

  test('lead to the right place under human review, too', () => {
    const $defs = { list: { items: { $ref: '#/$defs/list' } } };
    const facade = schemaFacade(ofOne({ anyOf: [{ $ref: '#/$defs/list' }] }, { $defs }), { z });
    const reviewed = z.object({ toolParameters: facade.describe('Input parameters for the tool') });
    const a = { anyOf: [{ anyOf: [{ items: { $ref: '#/properties/toolParameters/properties/a/anyOf/0/anyOf/0' } }] }] };
    expect(toJsonSchema(reviewed)).toMatchObject({ properties: { toolParameters: { properties: { a } } } });
  });
});

describe('what holds for the arguments as a whole is written in the description', () => {
  test.each<[what: string, schema: Schema, words: string]>([
    [
      'alternatives',
      { anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      '{"anyOf":[{"required":["a"]},{"required":["b"]}]}',
    ],
    [
      'pattern properties, with what they leave',
      { patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false },
      '{"properties":{"a":true},"patternProperties":{"^x-":{"type":"string"}},"additionalProperties":false}',
    ],
    ['required properties that are not listed', { required: ['a', 'b'] }, '{"required":["b"]}'],
  ])('%s', (_what, keywords, words) => {
    const { description } = told(ofOne({ type: 'string' }, { description: 'Finds.', ...keywords }));
    expect(description).toBe(`Finds.\nMust also match this JSON Schema: ${words}`);
  });

  test('and forbids nothing that they allow', () => {
    const { additionalProperties } = told(
      ofOne({}, { patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false }),
    );
    expect(additionalProperties).toEqual({ type: 'string' });
  });

  test('also under human review, after the words of n8n', () => {
    const facade = schemaFacade({ type: 'object', minProperties: 1, description: 'Finds.' }, { z });
    expect(facade.describe('Parameters').description).toBe(
      'Parameters\nFinds.\nMust also match this JSON Schema: {"minProperties":1}',
    );
  });
});

describe('a host that writes into what it was sent', () => {
  test('changes nothing for the next one', () => {
    const schema = ofOne(
      { type: 'object', nullable: true, default: { b: [1] } },
      { properties: { a: { nullable: true, default: [1] }, b: { type: 'string', enum: ['b'], default: 'b' } } },
    );
    const facade = schemaFacade(deepFrozen(schema), { z });
    const before = JSON.stringify(zodToJsonSchema(facade));
    scribble(zodToJsonSchema(facade));
    expect(JSON.stringify(zodToJsonSchema(facade))).toBe(before);
  });
});

describe('a hostile schema is sent within bounds', () => {
  const times = (count: number, entry: (index: number) => [string, unknown]) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => entry(index)));
  const large = { type: 'object', properties: times(100_000, (i) => [`p${i}`, { type: 'string' }]) };
  const values = { enum: Array.from({ length: 5000 }, (_, index) => `value ${index}`) };
  const nested = (depth: number, around: (inner: unknown) => unknown) =>
    Array.from({ length: depth }).reduce<unknown>(around, { type: 'string' });

  test.each<[what: string, schema: Schema]>([
    ['objects nested 20,000 deep', ofOne(nested(20_000, (inner) => ofOne(inner)))],
    ['alternatives nested 20,000 deep', ofOne(nested(20_000, (inner) => ({ anyOf: [inner] })))],
    [
      'references that double thirty times',
      ofOne(
        { $ref: '#/$defs/d0' },
        { $defs: times(31, (i) => [`d${i}`, { anyOf: [1, 2].map(() => ({ $ref: `#/$defs/d${i + 1}` })) }]) },
      ),
    ],
    [
      'a chain of 20,000 references',
      ofOne({ $ref: '#/$defs/d0' }, { $defs: times(20_000, (i) => [`d${i}`, { $ref: `#/$defs/d${i + 1}` }]) }),
    ],
    [
      '400 references to 2,000 properties',
      {
        type: 'object',
        properties: times(400, (i) => [`p${i}`, { $ref: '#/$defs/wide' }]),
        $defs: { wide: { type: 'object', properties: times(2000, (i) => [`p${i}`, { nullable: true }]) } },
      },
    ],
    ['100,000 properties', large],
    ['100,000 properties of a property', ofOne(large)],
    [
      '100,000 alternatives at the root',
      ofOne({}, { anyOf: Array.from({ length: 100_000 }, () => ({ required: ['a'] })) }),
    ],
    [
      '5,000 references to 5,000 values at the root',
      ofOne({}, { allOf: Array.from({ length: 5000 }, () => ({ $ref: '#/$defs/e' })), $defs: { e: values } }),
    ],
    [
      '400 references to 5,000 values',
      { type: 'object', properties: times(400, (i) => [`p${i}`, { $ref: '#/$defs/e' }]), $defs: { e: values } },
    ],
    [
      'references round in a circle',
      ofOne({ $ref: '#/$defs/a' }, { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }),
    ],
    [
      'nothing where it should be',
      {
        type: 'object',
        properties: { a: null, b: 5, c: [], d: { type: [] }, e: { anyOf: [] }, f: { properties: null } },
        required: 'a',
        patternProperties: [],
      },
    ],
    ['a name that is none', { type: 'object', required: [{ toString: 1, valueOf: 1 }] }],
  ])('%s', (_what, schema) => {
    expect(JSON.stringify(told(schema)).length).toBeLessThan(2_000_000);
  });

  test('with properties of any name', () => {
    const schema: unknown = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"enum":[{"__proto__":1}]},"constructor":{"type":"string"}},"required":["constructor"],"additionalProperties":false}',
    );
    const names = Object.keys((schemaFacade(schema as object, { z }) as unknown as { shape: object }).shape);
    expect(names).toEqual(['__proto__', 'constructor']);
  });
});

const folder = sharedFolder('corpus');

describe.skipIf(!folder)('the schemas of real servers, sent to a node that knows only Zod', () => {
  const tools = (folder ? corpusTools(folder) : []).map(({ server, name, inputSchema }) => {
    const schema = modelSchema({ inputSchema: inputSchema as Schema });
    return { server, name, schema, told: told(schema) };
  });

  test.skipIf(!corpusIsComplete())('lose nothing but what is named here (all recordings)', () => {
    const counts: Record<string, number> = {};
    for (const tool of tools)
      counts[fateOf(tool.schema, tool.told)] = (counts[fateOf(tool.schema, tool.told)] ?? 0) + 1;
    expect(counts).toEqual(fatesOfAll);
  });

  test('accept and refuse the same arguments, in words where Zod cannot say it', () => {
    const changed = tools.filter(({ schema, told: result }) => fateOf(schema, result) !== 'identical but for $schema');
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
