import { describe, expect, test } from 'vitest';
import { repairArguments } from '../../src/repair/repair.js';
import { compileSchema } from '../../src/schema/compile/compile.js';

type Wrap = (schema: unknown) => unknown;
type Fill = (value: unknown) => unknown;

/** Each structure that can hold an integer: how a schema is put into it, and how a value is. */
const structures: Record<string, [Wrap, Fill]> = {
  properties: [(schema) => ({ type: 'object', properties: { p: schema }, required: ['p'] }), (value) => ({ p: value })],
  patternProperties: [
    (schema) => ({ type: 'object', patternProperties: { '^x-': schema } }),
    (value) => ({ 'x-1': value }),
  ],
  additionalProperties: [(schema) => ({ type: 'object', additionalProperties: schema }), (value) => ({ any: value })],
  unevaluatedProperties: [(schema) => ({ type: 'object', unevaluatedProperties: schema }), (value) => ({ any: value })],
  items: [(schema) => ({ type: 'array', items: schema }), (value) => [value, value]],
  prefixItems: [(schema) => ({ type: 'array', prefixItems: [{ type: 'string' }, schema] }), (value) => ['1', value]],
  'items as a list': [
    (schema) => ({ type: 'array', items: [schema], additionalItems: schema }),
    (value) => [value, value],
  ],
  allOf: [(schema) => ({ allOf: [true, schema] }), (value) => value],
  anyOf: [(schema) => ({ anyOf: [{ type: 'null' }, schema] }), (value) => value],
  oneOf: [(schema) => ({ oneOf: [{ type: 'boolean' }, schema, { type: 'null' }] }), (value) => value],
  then: [
    (schema) => ({ if: { type: ['object', 'array', 'string', 'integer'] }, then: schema, else: false }),
    (value) => value,
  ],
  dependentSchemas: [
    (schema) => ({ type: 'object', dependentSchemas: { a: { properties: { b: schema } } } }),
    (value) => ({ a: 1, b: value }),
  ],
  'a key named __proto__': [
    (schema): unknown => JSON.parse(`{"type":"object","properties":{"__proto__":${JSON.stringify(schema)}}}`),
    (value): unknown => JSON.parse(`{"__proto__":${JSON.stringify(value)}}`),
  ],
  'a key that needs escaping': [
    (schema) => ({ type: 'object', properties: { 'a/b~c d%': schema, '': schema } }),
    (value) => ({ 'a/b~c d%': value, '': value }),
  ],
};

const names = Object.keys(structures);

function wrapped(path: readonly string[], schema: unknown): unknown {
  return path.reduceRight((inner, name) => structures[name]![0](inner), schema);
}

function filled(path: readonly string[], value: unknown): unknown {
  return path.reduceRight((inner, name) => structures[name]![1](inner), value);
}

/** The name itself first, then others so that each depth mixes different structures. */
function pathFrom(name: string, depth: number): string[] {
  const start = names.indexOf(name);
  return Array.from({ length: depth }, (_, index) => names[(start + index * 5) % names.length]!);
}

describe.each(names)('an integer sent as string, in %s', (name) => {
  test.each([1, 2, 3, 4, 5])('%i deep, among other structures', (depth) => {
    const path = pathFrom(name, depth);
    const compiled = compileSchema(wrapped(path, { type: 'integer', minimum: 1 }));
    const args = filled(path, '42');
    const before = JSON.stringify(args);
    const { arguments: repaired, evaluation, repairs } = repairArguments(compiled, args);
    expect(evaluation.outcome, path.join(' > ')).toBe('valid');
    expect(JSON.stringify(repaired)).toBe(JSON.stringify(filled(path, 42)));
    expect(repairs.every(({ kind, from, to }) => kind === 'integer' && from === '42' && to === 42)).toBe(true);
    expect(JSON.stringify(args)).toBe(before);
  });

  test('five times within itself', () => {
    const path = Array.from({ length: 5 }, () => name);
    const { arguments: repaired, evaluation } = repairArguments(
      compileSchema(wrapped(path, { const: 42 })),
      filled(path, '42'),
    );
    expect(evaluation.outcome).toBe('valid');
    expect(JSON.stringify(repaired)).toBe(JSON.stringify(filled(path, 42)));
  });

  test('stays a string where strings are allowed', () => {
    const path = pathFrom(name, 3);
    const args = filled(path, '42');
    expect(repairArguments(compileSchema(wrapped(path, { type: ['integer', 'string'] })), args).arguments).toBe(args);
  });
});

describe('references', () => {
  const tree = {
    type: 'object',
    properties: { node: { $ref: '#/$defs/node' } },
    $defs: {
      count: { type: 'integer', minimum: 0 },
      node: {
        type: 'object',
        properties: { count: { $ref: '#/$defs/count' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
        additionalProperties: false,
      },
    },
  };

  test('are followed, recursive ones as deep as the arguments go', () => {
    const args = { node: { count: '1', children: [{ count: '2', children: [{ count: '3' }, { count: 4 }] }] } };
    const { arguments: repaired, repairs } = repairArguments(compileSchema(tree), args);
    expect(repaired).toEqual({ node: { count: 1, children: [{ count: 2, children: [{ count: 3 }, { count: 4 }] }] } });
    expect(repairs.map(({ instanceLocation }) => instanceLocation).sort()).toEqual([
      '/node/children/0/children/0/count',
      '/node/children/0/count',
      '/node/count',
    ]);
  });

  test('to properties are followed, as generators write them', () => {
    const schema = { type: 'object', properties: { from: { type: 'integer' }, to: { $ref: '#/properties/from' } } };
    expect(repairArguments(compileSchema(schema), { from: '1', to: '2' }).arguments).toEqual({ from: 1, to: 2 });
  });

  test('that lead nowhere do not keep other places from being repaired', () => {
    const schema = { type: 'object', properties: { a: { $ref: '#/components/a' }, limit: { type: 'integer' } } };
    const { arguments: repaired, evaluation } = repairArguments(compileSchema(schema), { a: 1, limit: '5' });
    expect(repaired).toEqual({ a: 1, limit: 5 });
    expect(evaluation.outcome).toBe('undetermined');
  });
});
