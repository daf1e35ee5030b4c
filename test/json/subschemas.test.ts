import { describe, expect, test } from 'vitest';
import { nested, times } from '../../test-support/schemas/short.js';
import { mapSubschemas, subschemaShape, subschemasIn, walkSchemas } from '../../src/json/index.js';

test.each<[keyword: string, value: unknown, shape: string | undefined]>([
  ['not', true, 'schema'],
  ['not', [{}], undefined],
  ['not', 'x', undefined],
  ['items', {}, 'schema'],
  ['items', [{}], 'list'],
  ['allOf', [{}], 'list'],
  ['allOf', {}, undefined],
  ['properties', {}, 'members'],
  ['properties', true, undefined],
  ['dependencies', {}, 'members'],
  ['default', {}, undefined],
  ['toString', {}, undefined],
])('The keyword %s of %j holds: %s', (keyword, value, shape) => {
  expect(subschemaShape(keyword, value)).toBe(shape);
});

const schema = {
  items: [{ type: 'string' }, 'no schema', false],
  properties: { 'a/b': { not: { const: 1 } }, names: ['none'] },
  if: true,
  title: 'x',
};

describe('Schemas', () => {
  test('A schema holds its subschemas, in the order in which they are written', () => {
    expect([...subschemasIn(schema)]).toEqual([
      { keyword: 'items', path: ['items', 0], schema: { type: 'string' } },
      { keyword: 'items', path: ['items', 2], schema: false },
      { keyword: 'properties', path: ['properties', 'a/b'], schema: { not: { const: 1 } } },
      { keyword: 'if', path: ['if'], schema: true },
    ]);
    expect([...subschemasIn([{ not: {} }])]).toEqual([]);
  });

  test('A schema is walked with all that is in it, each schema once', () => {
    const shared = { type: 'null' };
    const root = { ...schema, allOf: [shared, shared] };
    expect([...walkSchemas(root)].map(({ location, keyword, depth }) => [location, keyword, depth])).toEqual([
      ['#', undefined, 0],
      ['#/items/0', 'items', 1],
      ['#/properties/a~1b', 'properties', 1],
      ['#/properties/a~1b/not', 'not', 2],
      ['#/allOf/0', 'allOf', 1],
    ]);
  });

  test('A schema is walked up to a limit, however wide or deep it is', () => {
    expect([...walkSchemas(nested(100_000, (not) => ({ not })))]).toHaveLength(20_000);
    expect([...walkSchemas({ anyOf: times(1000, () => ({})) }, 10)]).toHaveLength(10);
  });

  test('A schema is mapped: each subschema is replaced, and other values stay', () => {
    expect(mapSubschemas(schema, (_part, keyword, path) => ({ [keyword]: path }))).toEqual({
      items: [{ items: ['items', 0] }, 'no schema', { items: ['items', 2] }],
      properties: { 'a/b': { properties: ['properties', 'a/b'] }, names: ['none'] },
      if: { if: ['if'] },
      title: 'x',
    });
    expect(schema.items[0]).toEqual({ type: 'string' });
  });

  test('Mapping returns the same object for a schema, or a part, without changes', () => {
    expect(mapSubschemas(schema, (part) => part)).toBe(schema);
    const mapped = mapSubschemas(schema, (part) => (part === true ? false : part));
    expect(mapped).toEqual({ ...schema, if: false });
    expect(mapped['items']).toBe(schema.items);
    expect(mapped['properties']).toBe(schema.properties);
  });

  test('A mapped schema may have a member of the name __proto__', () => {
    const odd = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}') as Record<string, unknown>;
    expect(JSON.stringify(mapSubschemas(odd, () => true))).toBe('{"properties":{"__proto__":true}}');
  });
});
