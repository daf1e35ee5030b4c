import { describe, expect, test } from 'vitest';
import { readCatalogue } from '../../src/mcp/index.js';
import { compileSchema, evaluate } from '../../src/schema/index.js';
import {
  acceptedSchema,
  exampleValue,
  modelSchema,
  providerNotes,
  providerSafeSchema,
  type Provider,
} from '../../src/projections/index.js';
import { readCorpus } from '../../test-support/servers/corpus.js';
import { sharedFolder } from '../../test-support/shared.js';

const text = { type: 'string' };
const either = {
  type: 'object',
  description: 'Finds things.',
  properties: { limit: { type: 'integer' } },
  oneOf: [
    { properties: { id: text }, required: ['id', 'limit'] },
    { properties: { id: { type: 'integer' }, name: text }, required: ['name', 'limit'] },
  ],
};

const codes = (inputSchema: Record<string, unknown>, provider: Provider) =>
  providerNotes({ inputSchema }, provider).map(
    ({ effect, code, schemaLocation }) => `${effect} ${code} ${schemaLocation}`,
  );

describe('providerNotes', () => {
  test.each<[Provider, Record<string, unknown>, string[]]>([
    ['openai', { type: 'object', properties: { a: text } }, []],
    ['openai', { properties: { a: text } }, []],
    ['openai', either, ['refused root-combinator #/oneOf']],
    ['openai', { type: ['object', 'null'], properties: {} }, ['refused root-type #/type']],
    ['openai', { type: 'object' }, ['changed root-without-properties #']],
    ['openai', { type: 'object', properties: null }, ['refused root-without-properties #']],
    ['openai', { $schema: 'http://json-schema.org/draft-07/schema#' }, ['changed root-without-properties #']],
    ['anthropic', either, ['dropped root-combinator #/oneOf']],
    [
      'anthropic',
      { type: 'object', properties: { 'StartTime<': text, 'a.b-c_1': text } },
      ['refused property-name #/properties/StartTime<'],
    ],
    ['google', { type: 'object', properties: { a: text } }, []],
    [
      'google',
      { type: 'object', $schema: 'x', additionalProperties: false },
      ['changed removed-keyword #/$schema', 'changed removed-keyword #/additionalProperties'],
    ],
    [
      'google',
      { type: 'object', properties: { a: { $ref: '#/$defs/a' }, b: { type: ['string', 'null'] } }, $defs: { a: text } },
      [
        'refused unknown-keyword #/$defs',
        'refused unknown-keyword #/properties/a/$ref',
        'refused type-list #/properties/b/type',
      ],
    ],
    [
      'google',
      { type: 'object', properties: { a: { type: 'string', enum: ['', 'x'] } } },
      ['refused empty-enum-value #/properties/a/enum'],
    ],
    [
      'google',
      { type: 'object', properties: { a: { type: 'array' }, b: { type: 'array', items: { type: 'array' } } } },
      ['refused array-without-items #/properties/a'],
    ],
    [
      'google',
      { type: 'object', properties: { a: { type: 'object', required: ['b'] } }, required: ['a'] },
      ['refused required-undeclared #/properties/a/required'],
    ],
    [
      'openai',
      { type: 'object', properties: { a: { type: 'array' }, b: { type: 'array', items: {} } } },
      ['refused array-without-items #/properties/a'],
    ],
    [
      'openai',
      { type: 'object', properties: {}, dependencies: { a: { not: { type: 'array' } } } },
      ['refused array-without-items #/dependencies/a/not'],
    ],
    ['cohere', { type: 'object', properties: { a: { type: 'string', description: 'x' } }, required: ['a'] }, []],
    ['cohere', { type: 'object', properties: { a: { type: 'string', enum: ['x'] } } }, ['changed rebuilt #']],
  ])('%s, %j: %j', (provider, schema, expected) => {
    expect(codes(schema, provider).sort()).toEqual(expected.sort());
  });
});

describe('acceptedSchema', () => {
  test('is a projection for the provider that refuses the schema alone', () => {
    expect(acceptedSchema(either, 'openai')).toEqual(providerSafeSchema(either, 'openai'));
    expect(acceptedSchema(either, 'openai')).not.toBe(either);
    expect(acceptedSchema(either, 'cohere')).toBe(either);
  });

  test('is kept, and frozen, for a schema that stays as it is', () => {
    const list = { type: 'object', properties: { ids: { type: 'array' } } };
    const { inputSchema } = readCatalogue([{ name: 'find', inputSchema: list }]).tools[0]!;
    const sent = acceptedSchema(inputSchema, 'openai') as { properties: { ids: { items: object } } };
    const { properties } = sent;
    expect(properties.ids).toEqual({ type: 'array', items: {} });
    expect([sent, properties, properties.ids, properties.ids.items].every(Object.isFrozen)).toBe(true);
    expect(acceptedSchema(inputSchema, 'openai')).toBe(sent);
    expect(acceptedSchema(inputSchema, 'cohere')).toBe(inputSchema);
  });

  test('is looked for again where the schema may have been changed, which it leaves as it is', () => {
    const schema: Record<string, unknown> = { type: 'object', properties: { a: { type: 'string' } } };
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
      const properties = { a: { type: 'string', enum: ['x'] }, b: { type: 'array', items: text } };
      const schema = { type: 'object', properties, required: ['a'] };
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
          limit: { type: 'integer' },
          id: { anyOf: [text, { type: 'integer' }] },
          // The first alternative takes anything there.
          name: { anyOf: [text, {}] },
        },
        required: ['limit'],
      });
      expect(JSON.stringify(either)).toBe(before);
    },
  );

  test('merges allOf at the root', () => {
    const schema = {
      type: 'object',
      allOf: [{ properties: { a: text }, required: ['a'] }, { $ref: '#/$defs/b' }],
      $defs: { b: { properties: { b: text }, required: ['b'] } },
    };
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
    const a = { type: 'array' };
    const b = { type: ['array', 'null'], prefixItems: [text] };
    const c = { type: 'array', default: [{ type: 'array' }] };
    const items = {};
    expect(providerSafeSchema({ type: 'object', properties: { a, b, default: c } }, 'openai')).toEqual({
      type: 'object',
      properties: { a: { ...a, items }, b: { ...b, items }, default: { ...c, items } },
    });
  });

  test('leaves out optional parameters whose names Anthropic refuses', () => {
    const schema = { type: 'object', properties: { 'a[b]': text, c: text } };
    expect(providerSafeSchema(schema, 'anthropic')).toEqual({ type: 'object', properties: { c: text } });
  });

  test('speaks Gemini', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        a: { type: ['integer', 'null'], exclusiveMinimum: 0 },
        b: { enum: ['x', 3] },
        c: { const: 'x', type: 'string' },
        d: { oneOf: [text, { type: 'object', properties: { e: { $ref: '#/$defs/node' } } }, { type: 'null' }] },
        f: { type: 'string', format: 'uuid' },
        g: { type: 'array' },
        i: { type: 'string', enum: ['', 'x'] },
        h: { allOf: [{ $ref: '#/$defs/node' }], description: 'A node' },
      },
      required: ['a', 'undeclared'],
      additionalProperties: false,
      $defs: {
        node: {
          type: 'object',
          properties: { next: { $ref: '#/$defs/node' }, n: { type: 'number' } },
          required: ['n'],
        },
      },
    };
    const node = { type: 'object', properties: { next: { type: 'object' }, n: { type: 'number' } }, required: ['n'] };
    expect(providerSafeSchema(schema, 'google')).toEqual({
      type: 'object',
      properties: {
        a: { type: 'integer', minimum: 1, nullable: true },
        b: { type: 'string', description: 'One of "x", 3.' },
        c: { type: 'string', enum: ['x'] },
        d: { anyOf: [text, { type: 'object', properties: { e: node } }], nullable: true },
        f: { type: 'string' },
        g: { type: 'array', items: { type: 'string' } },
        i: { type: 'string', description: 'One of "", "x".' },
        h: { ...node, description: 'A node' },
      },
      required: ['a'],
    });
  });

  test('sends Gemini in each alternative what holds for all of them', () => {
    const named = { type: 'object', properties: { id: text, name: text } };
    const a = { ...named, description: 'One', anyOf: [{ required: ['id'] }, { required: ['name'] }] };
    const either = ['id', 'name'].map((name) => ({ ...named, required: [name] }));
    expect(providerSafeSchema({ type: 'object', properties: { a } }, 'google')).toEqual({
      type: 'object',
      properties: { a: { description: 'One', anyOf: either } },
    });
  });

  test('joins a hundred alternatives that have no name in common', () => {
    const branch = (at: number) => [...Array(50).keys()].map((n) => [`p${at}_${n}`, text]);
    const anyOf = [...Array(100).keys()].map((at) => ({ properties: Object.fromEntries(branch(at)) }));
    const { properties } = providerSafeSchema({ type: 'object', anyOf }, 'openai');
    expect(Object.keys(properties as object)).toHaveLength(5000);
  });

  test('stays bounded where references multiply', () => {
    const $defs: Record<string, unknown> = { d0: text };
    for (let level = 1; level <= 30; level++) {
      const next = { $ref: `#/$defs/d${level - 1}` };
      $defs[`d${level}`] = { type: 'object', properties: { a: next, b: next } };
    }
    const schema = { type: 'object', properties: { x: { $ref: '#/$defs/d30' } }, $defs };
    expect(JSON.stringify(providerSafeSchema(schema, 'google')).length).toBeLessThan(1_000_000);
  });

  test.each<Provider>(['openai', 'anthropic', 'google', 'cohere'])('survives odd schemas for %s', (provider) => {
    const odd: Record<string, unknown>[] = [
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
  const tools =
    corpus === undefined
      ? []
      : readCorpus(corpus).flatMap(({ toolsListLines }) =>
          toolsListLines.flatMap(
            (line) => readCatalogue((JSON.parse(line) as { result: { tools: unknown[] } }).result.tools).tools,
          ),
        );

  test.each<Provider>(['openai', 'anthropic', 'google'])('are taken by %s as projected', (provider) => {
    const counts: Record<string, number> = {};
    for (const tool of tools) {
      const notes = providerNotes(tool, provider);
      for (const key of new Set(notes.map(({ effect, code }) => `${effect} ${code}`)))
        counts[key] = (counts[key] ?? 0) + 1;
      const schema = modelSchema(tool);
      const safe = providerSafeSchema(schema, provider);
      if (notes.length === 0 && provider !== 'google') expect(safe, tool.name).toBe(schema);
      const left = providerNotes({ inputSchema: safe }, provider).filter(({ code }) => code !== 'property-name');
      expect(left, tool.name).toEqual([]);
      const example = provider === 'google' ? undefined : exampleValue({ inputSchema: schema });
      if (example !== undefined) expect(evaluate(compileSchema(safe), example).outcome, tool.name).toBe('valid');
    }
    console.log(`${provider}: ${JSON.stringify(counts)} of ${tools.length} tools`);
  });
});
