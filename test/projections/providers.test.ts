import { describe, expect, test } from 'vitest';
import { readCatalogue } from '../../src/mcp/index.js';
import { type Provider, providerNotes, sentSchema as sentWhole } from '../../src/projections/index.js';
import { integer, members, object, string as text, texts, times, to } from '../../test-support/schemas/short.js';

type Schema = Record<string, unknown>;

const sentSchema = (schema: Schema, provider: Provider) => sentWhole(schema, provider, undefined, 'langchain').schema;
const list = { type: 'array' };
const either = {
  ...object({ limit: integer }),
  description: 'Finds things.',
  oneOf: [
    { properties: { id: text }, required: ['id', 'limit'] },
    { properties: { id: integer, name: text }, required: ['name', 'limit'] },
  ],
};

test.each<[Provider, Schema, string[]]>([
  ['openai', either, ['rejected root-combinator #/oneOf']],
  [
    'openai',
    { type: 'object', properties: null },
    ['changed root-without-properties #', 'rejected metaschema #/properties'],
  ],
  ['openai', object({}, { dependencies: { a: { not: list } } }), ['rejected array-without-items #/dependencies/a/not']],
  ['anthropic', either, ['dropped root-combinator #/oneOf']],
  ['anthropic', object({ 'a<': text, 'a.b-c_1': text }), ['rejected property-name #/properties/a<']],
  [
    'google',
    object({ a: to('a'), b: { type: ['string', 'null'] } }, { $defs: { a: text } }),
    [
      'rejected unknown-keyword #/$defs',
      'rejected unknown-keyword #/properties/a/$ref',
      'rejected type-list #/properties/b/type',
    ],
  ],
  ['google', object({ a: object({}, { required: ['b'] }) }), ['rejected required-undeclared #/properties/a/required']],
  ['cohere', object({ a: { ...text, enum: ['x'] } }), ['changed rebuilt #/properties/a']],
])('Notes for %s on %j are %j', (provider, inputSchema, expected) => {
  const notes = providerNotes({ inputSchema }, provider, undefined, 'langchain');
  const found = notes.map(({ effect, code, schemaLocation }) => `${effect} ${code} ${schemaLocation}`);
  expect(found.sort()).toEqual(expected.sort());
});

test('The sent schema of a frozen schema is cached and frozen', () => {
  const { inputSchema } = readCatalogue([{ name: 'find', inputSchema: object({ ids: list }) }]).tools[0]!;
  const sent = sentSchema(inputSchema, 'openai') as { properties: { ids: { items: object } } };
  const { properties } = sent;
  expect(properties.ids).toEqual({ type: 'array', items: {} });
  expect([sent, properties, properties.ids, properties.ids.items].every(Object.isFrozen)).toBe(true);
  expect(sentSchema(inputSchema, 'openai')).toBe(sent);
  expect(sentSchema(inputSchema, 'cohere')).toBe(inputSchema);
});

test('The sent schema of a mutable schema is derived again, and the schema is not frozen', () => {
  const schema: Schema = object({ a: text });
  expect(sentSchema(schema, 'openai')).toBe(schema);
  schema['anyOf'] = [{ required: ['a'] }];
  expect(sentSchema(schema, 'openai')).not.toHaveProperty('anyOf');
  expect([schema, schema['properties'], schema['anyOf']].some(Object.isFrozen)).toBe(false);
});

describe('the adapted schema', () => {
  test.each<Provider>(['openai', 'anthropic'])(
    'An adapted schema joins the alternatives of the root for %s, and describes them in words',
    (provider) => {
      const before = JSON.stringify(either);
      expect(sentSchema(either, provider)).toEqual({
        type: 'object',
        description: 'Finds things.\nGive one of these sets of parameters: "id" and "limit"; "name" and "limit".',
        properties: {
          limit: integer,
          id: { anyOf: [text, integer] },
          // The first alternative accepts anything there.
          name: { anyOf: [text, {}] },
        },
        required: ['limit'],
      });
      expect(JSON.stringify(either)).toBe(before);
    },
  );

  test('An adapted schema merges allOf at the root', () => {
    const b = { properties: { b: text }, required: ['b'] };
    const schema = { allOf: [{ properties: { a: text }, required: ['a'] }, to('b')], $defs: { b } };
    expect(sentSchema(schema, 'openai')).toMatchObject({
      type: 'object',
      properties: { a: text, b: text },
      required: expect.arrayContaining(['a', 'b']),
    });
  });

  test('An adapted schema describes the items of every array for OpenAI', () => {
    const b = { type: ['array', 'null'], prefixItems: [text] };
    const c = { ...list, default: [list] };
    const items = {};
    expect(sentSchema(object({ a: list, b, default: c }), 'openai')).toEqual(
      object({ a: { ...list, items }, b: { ...b, items }, default: { ...c, items } }),
    );
  });

  test('An adapted schema renames parameters that Anthropic rejects, and gives arguments their own names again', () => {
    const schema = object({ 'a[b]': text, 'a b': text, a_b: text, c: text }, { required: ['a[b]'] });
    const { schema: sent, argumentsFromModel } = sentWhole(schema, 'anthropic');
    const [first = '', second = '', ...others] = Object.keys(sent['properties'] as object);
    expect(sent).toEqual(object({ [first]: text, [second]: text, a_b: text, c: text }, { required: [first] }));
    expect([first, second].every((name) => /^[\w.-]{1,64}$/.test(name))).toBe(true);
    expect(others).toEqual(['a_b', 'c']);
    expect(argumentsFromModel?.({ [first]: 1, [second]: 2, a_b: 3, d: 4 })).toEqual({
      'a[b]': 1,
      'a b': 2,
      a_b: 3,
      d: 4,
    });
    const own = { 'a[b]': 1 };
    expect(argumentsFromModel?.(own)).toBe(own);
    expect(sentWhole(schema, 'openai')).not.toHaveProperty('argumentsFromModel');
  });

  test("An adapted schema expresses references, constants, alternatives and allOf in Gemini's subset", () => {
    const schema = object(
      {
        c: { const: 'x', type: 'string' },
        d: { oneOf: [text, object({ e: to('node') }), { type: 'null' }] },
        h: { allOf: [to('node')], description: 'A node' },
      },
      { $defs: { node: object({ next: to('node'), n: integer }, { required: ['n'] }) } },
    );
    const node = object({ next: { type: 'object' }, n: integer }, { required: ['n'] });
    const nullable = true;
    const d = [
      { ...text, nullable },
      { ...object({ e: node }), nullable },
    ];
    expect(sentSchema(schema, 'google')).toEqual(
      object({ c: { type: 'string', enum: ['x'] }, d: { anyOf: d }, h: { ...node, description: 'A node' } }),
    );
  });

  test('An adapted schema for Gemini repeats common constraints in each alternative', () => {
    const named = object({ id: text, name: text });
    const a = { ...named, description: 'One', anyOf: [{ required: ['id'] }, { required: ['name'] }] };
    const [id, name] = ['id', 'name'].map((each) => ({ ...named, required: [each] }));
    expect(sentSchema(object({ a }), 'google')).toEqual(
      object({ a: { anyOf: [{ ...id, description: 'One' }, name] } }),
    );
  });

  test('An adapted schema is an object with its description if it cannot be adapted in time', () => {
    const properties = members(texts(60_000, 'p'), () => ({ enum: [1], description: 'x' }));
    const sent = sentWhole({ type: 'object', description: 'Large.', properties }, 'google');
    expect(sent).toMatchObject({ isCut: true, schema: { type: 'object', properties: {}, description: 'Large.' } });
  });

  test('An adapted schema is any object if too many parts of the root would have to be joined', () => {
    const joined = (parts: number) => {
      const allOf = times(parts, (part) => ({ properties: members(texts(50, `p${part}_`)) }));
      return sentSchema({ allOf }, 'openai');
    };
    expect(Object.keys(joined(10)['properties'] as object)).toHaveLength(500);
    expect(joined(500)).toEqual({ type: 'object', properties: {} });
  });

  test('An adapted schema joins a hundred alternatives that have no name in common', () => {
    const anyOf = times(100, (at) => ({ properties: members(texts(50, `p${at}_`)) }));
    const { properties } = sentSchema({ type: 'object', anyOf }, 'openai');
    expect(Object.keys(properties as object)).toHaveLength(5000);
  });

  test('An adapted schema stays bounded if references multiply', () => {
    const $defs = members(texts(30, 'd'), (at) => object({ a: to(`d${at + 1}`), b: to(`d${at + 1}`) }));
    const safe = sentSchema(object({ x: to('d0') }, { $defs: { ...$defs, d30: text } }), 'google');
    expect(JSON.stringify(safe).length).toBeLessThan(1_000_000);
  });
});
