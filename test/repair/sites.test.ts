import { describe, expect, test } from 'vitest';
import { repairArguments } from '../../src/repair/repair.js';
import { compileSchema } from '../../src/schema/compile/compile.js';

type Structure = readonly [name: string, wrap: (schema: unknown) => unknown, fill: (value: unknown) => unknown];

const same = (value: unknown) => value;
const twice = (value: unknown) => [value, value];

/** Each structure that can hold an integer: how it wraps a schema, and how it wraps a value. */
const structures: readonly Structure[] = [
  ['properties', (p) => ({ properties: { p }, required: ['p'] }), (p) => ({ p })],
  ['patternProperties', (p) => ({ patternProperties: { '^x-': p } }), (p) => ({ 'x-1': p })],
  ['additionalProperties', (p) => ({ additionalProperties: p }), (any) => ({ any })],
  ['unevaluatedProperties', (p) => ({ type: 'object', unevaluatedProperties: p }), (any) => ({ any })],
  ['items', (items) => ({ type: 'array', items }), twice],
  ['prefixItems', (item) => ({ type: 'array', prefixItems: [{ type: 'string' }, item] }), (value) => ['1', value]],
  ['items as a list', (item) => ({ type: 'array', items: [item], additionalItems: item }), twice],
  ['allOf', (schema) => ({ allOf: [true, schema] }), same],
  ['anyOf', (schema) => ({ anyOf: [{ type: 'null' }, schema] }), same],
  ['oneOf', (schema) => ({ oneOf: [{ type: 'boolean' }, schema, { type: 'null' }] }), same],
  ['then', (then) => ({ if: { type: ['object', 'array', 'string', 'integer'] }, then, else: false }), same],
  ['dependentSchemas', (b) => ({ dependentSchemas: { a: { properties: { b } } } }), (b) => ({ a: 1, b })],
  ['a key named __proto__', (p) => ({ properties: { ['__proto__']: p } }), (p) => ({ ['__proto__']: p })],
  ['a key that needs escaping', (p) => ({ properties: { 'a/b~c d%': p, '': p } }), (p) => ({ 'a/b~c d%': p, '': p })],
];

describe.each(structures.map((structure, index) => [structure[0], index] as const))('in %s', (_, index) => {
  // The structure itself, then others, so that each depth mixes different ones.
  const others = [0, 5, 10, 15].map((step) => structures[(index + step) % structures.length]!);
  const itself = others.map(() => structures[index]!);

  test.each([
    ['alone', itself.slice(0, 1)],
    ['among other structures', others],
    ['within itself', itself],
  ])('An integer sent as a string is repaired, unless strings are allowed: %s', (_where, path) => {
    const schemaOf = (inner: object) =>
      compileSchema(path.reduceRight((schema, [, wrap]) => wrap(schema), inner as unknown));
    const filled = (value: unknown) => path.reduceRight((inner, [, , fill]) => fill(inner), value);
    const args = filled('42');
    const { arguments: repaired, evaluation } = repairArguments(schemaOf({ type: 'integer', minimum: 1 }), args);
    expect(evaluation.outcome).toBe('valid');
    expect(JSON.stringify(repaired)).toBe(JSON.stringify(filled(42)));
    expect(repairArguments(schemaOf({ type: ['integer', 'string'] }), args).arguments).toBe(args);
  });
});

describe('references', () => {
  const node = { type: 'object', properties: { count: { $ref: '#/$defs/count' }, children: { items: { $ref: '#' } } } };

  test('References are followed, recursive ones as deep as the arguments go', () => {
    const compiled = compileSchema({ ...node, $defs: { count: { type: 'integer' } } });
    const of = (write: (count: number) => unknown) => ({
      count: write(1),
      children: [{ count: write(2), children: [{ count: write(3) }, { count: 4 }] }],
    });
    const { arguments: repaired, repairs } = repairArguments(compiled, of(String));
    expect(repaired).toEqual(of(Number));
    expect(repairs.map(({ instanceLocation }) => instanceLocation).sort()).toEqual([
      '/children/0/children/0/count',
      '/children/0/count',
      '/count',
    ]);
  });

  test('References to properties are followed, as generators write them', () => {
    const schema = { type: 'object', properties: { from: { type: 'integer' }, to: { $ref: '#/properties/from' } } };
    expect(repairArguments(compileSchema(schema), { from: '1', to: '2' }).arguments).toEqual({ from: 1, to: 2 });
  });

  test('References that lead nowhere do not keep other places from being repaired', () => {
    const schema = { type: 'object', properties: { a: { $ref: '#/components/a' }, limit: { type: 'integer' } } };
    const { arguments: repaired, evaluation } = repairArguments(compileSchema(schema), { a: 1, limit: '5' });
    expect(repaired).toEqual({ a: 1, limit: 5 });
    expect(evaluation.outcome).toBe('undetermined');
  });
});
