import { describe, expect, test } from 'vitest';
import { readCatalogue } from '../../src/mcp/index.js';
import { compileSchema, evaluate } from '../../src/schema/index.js';
import type { Provider } from '../../src/projections/index.js';
import {
  acceptedSchema,
  exampleValue,
  modelSchema,
  providerNotes,
  providerSafeSchema,
} from '../../src/projections/index.js';
import { sampled } from '../../test-support/law-runs.js';
import { corpusTools } from '../../test-support/schemas/corpus.js';
import { integer, members, object, string as text, texts, times, to } from '../../test-support/schemas/short.js';
import { sharedFolder } from '../../test-support/shared.js';

type Schema = Record<string, unknown>;

const list = { type: 'array' };
const either = {
  ...object({ limit: integer }),
  description: 'Finds things.',
  oneOf: [
    { properties: { id: text }, required: ['id', 'limit'] },
    { properties: { id: integer, name: text }, required: ['name', 'limit'] },
  ],
};

describe('providerNotes', () => {
  test.each<[Provider, Schema, string[]]>([
    ['openai', object({ a: text }), []],
    ['openai', { properties: { a: text } }, []],
    ['openai', either, ['refused root-combinator #/oneOf']],
    ['openai', { type: ['object', 'null'], properties: {} }, ['refused root-type #/type']],
    ['openai', { type: 'object' }, ['changed root-without-properties #']],
    ['openai', { type: 'object', properties: null }, ['refused root-without-properties #']],
    ['openai', object({ a: list, b: { ...list, items: {} } }), ['refused array-without-items #/properties/a']],
    [
      'openai',
      object({}, { dependencies: { a: { not: list } } }),
      ['refused array-without-items #/dependencies/a/not'],
    ],
    ['anthropic', either, ['dropped root-combinator #/oneOf']],
    ['anthropic', object({ 'a<': text, 'a.b-c_1': text }), ['refused property-name #/properties/a<']],
    ['google', object({ a: text }), []],
    [
      'google',
      { type: 'object', $schema: 'x', additionalProperties: false },
      ['changed removed-keyword #/$schema', 'changed removed-keyword #/additionalProperties'],
    ],
    [
      'google',
      object({ a: to('a'), b: { type: ['string', 'null'] } }, { $defs: { a: text } }),
      [
        'refused unknown-keyword #/$defs',
        'refused unknown-keyword #/properties/a/$ref',
        'refused type-list #/properties/b/type',
      ],
    ],
    ['google', object({ a: { ...text, enum: ['', 'x'] } }), ['refused empty-enum-value #/properties/a/enum']],
    ['google', object({ a: list, b: { ...list, items: list } }), ['refused array-without-items #/properties/a']],
    ['google', object({ a: object({}, { required: ['b'] }) }), ['refused required-undeclared #/properties/a/required']],
    ['cohere', object({ a: { ...text, description: 'x' } }, { required: ['a'] }), []],
    ['cohere', object({ a: { ...text, enum: ['x'] } }), ['changed rebuilt #']],
  ])('%s, %j: %j', (provider, inputSchema, expected) => {
    const notes = providerNotes({ inputSchema }, provider);
    const found = notes.map(({ effect, code, schemaLocation }) => `${effect} ${code} ${schemaLocation}`);
    expect(found.sort()).toEqual(expected.sort());
  });
});

describe('acceptedSchema', () => {
  test('is a projection for the provider that refuses the schema alone', () => {
    expect(acceptedSchema(either, 'openai')).toEqual(providerSafeSchema(either, 'openai'));
    expect(acceptedSchema(either, 'openai')).not.toBe(either);
    expect(acceptedSchema(either, 'cohere')).toBe(either);
  });

  test('is kept, and frozen, for a schema that stays as it is', () => {
    const { inputSchema } = readCatalogue([{ name: 'find', inputSchema: object({ ids: list }) }]).tools[0]!;
    const sent = acceptedSchema(inputSchema, 'openai') as { properties: { ids: { items: object } } };
    const { properties } = sent;
    expect(properties.ids).toEqual({ type: 'array', items: {} });
    expect([sent, properties, properties.ids, properties.ids.items].every(Object.isFrozen)).toBe(true);
    expect(acceptedSchema(inputSchema, 'openai')).toBe(sent);
    expect(acceptedSchema(inputSchema, 'cohere')).toBe(inputSchema);
  });

  test('is looked for again where the schema may have been changed, which it leaves as it is', () => {
    const schema: Schema = object({ a: text });
    expect(acceptedSchema(schema, 'openai')).toBe(schema);
    schema['anyOf'] = [{ required: ['a'] }];
    expect(acceptedSchema(schema, 'openai')).not.toHaveProperty('anyOf');
    expect([schema, schema['properties'], schema['anyOf']].some(Object.isFrozen)).toBe(false);
  });
});

describe('providerSafeSchema', () => {
  test.each<Provider>(['openai', 'anthropic', 'google', 'cohere'])(
    'is the very schema where %s takes it',
    (provider) => {
      const schema = object({ a: { ...text, enum: ['x'] }, b: { ...list, items: text } }, { required: ['a'] });
      expect(providerSafeSchema(schema, provider)).toBe(schema);
    },
  );

  test.each<Provider>(['openai', 'anthropic'])(
    'joins the alternatives of the root for %s, and tells them in words',
    (provider) => {
      const before = JSON.stringify(either);
      expect(providerSafeSchema(either, provider)).toEqual({
        type: 'object',
        description: 'Finds things.\nGive one of these sets of parameters: "id" and "limit"; "name" and "limit".',
        properties: {
          limit: integer,
          id: { anyOf: [text, integer] },
          // The first alternative takes anything there.
          name: { anyOf: [text, {}] },
        },
        required: ['limit'],
      });
      expect(JSON.stringify(either)).toBe(before);
    },
  );

  test('merges allOf at the root', () => {
    const b = { properties: { b: text }, required: ['b'] };
    const schema = { allOf: [{ properties: { a: text }, required: ['a'] }, to('b')], $defs: { b } };
    expect(providerSafeSchema(schema, 'openai')).toMatchObject({
      type: 'object',
      properties: { a: text, b: text },
      required: expect.arrayContaining(['a', 'b']),
    });
  });

  test('says for OpenAI that there are no parameters', () => {
    expect(providerSafeSchema({ type: 'object', additionalProperties: false }, 'openai')).toEqual({
      type: 'object',
      additionalProperties: false,
      properties: {},
    });
    expect(providerSafeSchema({ anyOf: [{ type: 'string' }] }, 'openai')).toMatchObject({ properties: {} });
  });

  test('describes the items of every array for OpenAI', () => {
    const b = { type: ['array', 'null'], prefixItems: [text] };
    const c = { ...list, default: [list] };
    const items = {};
    expect(providerSafeSchema(object({ a: list, b, default: c }), 'openai')).toEqual(
      object({ a: { ...list, items }, b: { ...b, items }, default: { ...c, items } }),
    );
  });

  test('leaves out optional parameters whose names Anthropic refuses', () => {
    expect(providerSafeSchema(object({ 'a[b]': text, c: text }), 'anthropic')).toEqual(object({ c: text }));
  });

  test('speaks Gemini', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        a: { type: ['integer', 'null'], exclusiveMinimum: 0 },
        b: { enum: ['x', 3] },
        c: { const: 'x', type: 'string' },
        d: { oneOf: [text, object({ e: to('node') }), { type: 'null' }] },
        f: { ...text, format: 'uuid' },
        g: list,
        i: { ...text, enum: ['', 'x'] },
        h: { allOf: [to('node')], description: 'A node' },
      },
      required: ['a', 'undeclared'],
      additionalProperties: false,
      $defs: { node: object({ next: to('node'), n: integer }, { required: ['n'] }) },
    };
    const node = object({ next: { type: 'object' }, n: integer }, { required: ['n'] });
    expect(providerSafeSchema(schema, 'google')).toEqual({
      type: 'object',
      properties: {
        a: { type: 'integer', minimum: 1, nullable: true },
        b: { type: 'string', description: 'One of "x", 3.' },
        c: { type: 'string', enum: ['x'] },
        d: { anyOf: [text, object({ e: node })], nullable: true },
        f: text,
        g: { ...list, items: text },
        i: { type: 'string', description: 'One of "", "x".' },
        h: { ...node, description: 'A node' },
      },
      required: ['a'],
    });
  });

  test('sends Gemini in each alternative what holds for all of them', () => {
    const named = object({ id: text, name: text });
    const a = { ...named, description: 'One', anyOf: [{ required: ['id'] }, { required: ['name'] }] };
    const anyOf = ['id', 'name'].map((name) => ({ ...named, required: [name] }));
    expect(providerSafeSchema(object({ a }), 'google')).toEqual(object({ a: { description: 'One', anyOf } }));
  });

  test('joins a hundred alternatives that have no name in common', () => {
    const anyOf = times(100, (at) => ({ properties: members(texts(50, `p${at}_`)) }));
    const { properties } = providerSafeSchema({ type: 'object', anyOf }, 'openai');
    expect(Object.keys(properties as object)).toHaveLength(5000);
  });

  test('stays bounded where references multiply', () => {
    const $defs = members(texts(30, 'd'), (at) => object({ a: to(`d${at + 1}`), b: to(`d${at + 1}`) }));
    const safe = providerSafeSchema(object({ x: to('d0') }, { $defs: { ...$defs, d30: text } }), 'google');
    expect(JSON.stringify(safe).length).toBeLessThan(1_000_000);
  });

  test.each<Provider>(['openai', 'anthropic', 'google', 'cohere'])('survives odd schemas for %s', (provider) => {
    const odd: Schema[] = [
      {},
      { type: 'object', properties: null, required: 'a', anyOf: {}, oneOf: [], allOf: [null, 5] },
      { type: 'object', properties: { a: null, b: true, c: { type: 7, items: 'x', enum: {} } } },
      { $ref: '#' },
      { type: 'object', anyOf: [{ $ref: '#' }, { $ref: '#/nowhere' }] },
    ];
    for (const schema of odd) {
      expect(providerSafeSchema(schema, provider)).toEqual(expect.any(Object));
      expect(providerNotes({ inputSchema: schema }, provider)).toEqual(expect.any(Array));
    }
  });
});

const corpus = sharedFolder('corpus');

describe.skipIf(corpus === undefined)('the tools of the recorded servers', () => {
  test.each<Provider>(['openai', 'anthropic', 'google'])('are taken by %s as projected', (provider) => {
    for (const { name, inputSchema } of sampled(corpusTools(corpus ?? ''))) {
      const schema = modelSchema({ inputSchema: inputSchema as Schema });
      const safe = providerSafeSchema(schema, provider);
      const notes = providerNotes({ inputSchema: schema }, provider);
      if (notes.length === 0 && provider !== 'google') expect(safe, name).toBe(schema);
      const left = providerNotes({ inputSchema: safe }, provider).filter(({ code }) => code !== 'property-name');
      expect(left, name).toEqual([]);
      const example = provider === 'google' ? undefined : exampleValue({ inputSchema: schema });
      if (example === undefined) continue;
      const decided = evaluate(compileSchema(safe), example, { budget: { patternMs: 60_000 } });
      expect(decided.outcome, name).toBe('valid');
    }
  });
});
