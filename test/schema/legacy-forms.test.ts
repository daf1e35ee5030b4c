import { expect, test } from 'vitest';
import type { Dialect } from '../../src/schema/keywords/keyword.js';
import { integer, string } from '../../test-support/schemas/short.js';
import { diagnosed, outcome } from './decide.js';

test.each<[what: string, schema: unknown, accepted: unknown, refused: unknown]>([
  ['an array in items', { items: [string, integer] }, ['a', 1, null], ['a', 'b']],
  ['additionalItems beside it', { items: [string], additionalItems: integer }, ['a', 1], ['a', 'b']],
  ['definitions', { $ref: '#/definitions/a', definitions: { a: string } }, 'a', 1],
  ['dependencies on properties', { dependencies: { a: ['b'] } }, { a: 1, b: 1 }, { a: 1 }],
  ['dependencies on a schema', { dependencies: { a: { required: ['b'] } } }, { b: 1 }, { a: 1 }],
  ['a boolean exclusiveMinimum', { minimum: 3, exclusiveMinimum: true }, 4, 3],
  ['a boolean exclusiveMaximum', { maximum: 3, exclusiveMaximum: true }, 2, 3],
  ['exclusiveMinimum: false', { minimum: 3, exclusiveMinimum: false }, 3, 2],
  ['nullable beside type', { type: 'string', nullable: true }, null, 1],
  ['nullable: false', { type: 'string', nullable: false }, 'a', null],
])('The older form %s keeps its meaning under newer dialects', (_, schema, accepted, refused) => {
  for (const defaultDialect of ['2019-09', '2020-12'] as const) {
    expect(outcome(schema, accepted, { defaultDialect })).toBe('valid');
    expect(outcome(schema, refused, { defaultDialect })).toBe('invalid');
  }
});

test('$recursiveRef of 2019-09 keeps its meaning under 2020-12', () => {
  const tree = { type: 'object', properties: { child: { $recursiveRef: '#' } }, additionalProperties: false };
  expect(outcome(tree, { child: { child: {} } })).toBe('valid');
  expect(outcome(tree, { child: { other: 1 } })).toBe('invalid');
});

test('Older forms under newer dialects are noted', () => {
  const schema = { items: [{}], contains: { minimum: 1, exclusiveMinimum: true } };
  expect(diagnosed(schema)).toEqual(['legacy-keyword #/items', 'legacy-keyword #/contains/exclusiveMinimum']);
  expect(diagnosed({ properties: { a: { type: 'string', nullable: true } } })).toEqual([
    'nullable #/properties/a/type',
  ]);
});

test.each<[what: string, dialect: Dialect, schema: unknown, instance: unknown]>([
  ['prefixItems', 'draft-07', { prefixItems: [string] }, [1]],
  ['dependentRequired', 'draft-07', { dependentRequired: { a: ['b'] } }, { a: 1 }],
  ['const', 'draft-04', { const: 1 }, 2],
  ['if', 'draft-06', { if: true, then: false }, 1],
  ['minContains', 'draft-07', { contains: { const: 1 }, minContains: 2 }, [1]],
])('The newer form %s means nothing under %s and is noted', (keyword, defaultDialect, schema, instance) => {
  expect(outcome(schema, instance, { defaultDialect })).toBe('valid');
  expect(diagnosed(schema, { defaultDialect })).toContain(`unknown-keyword #/${keyword}`);
});

test('A numeric exclusiveMinimum is applied in draft-04, where it is malformed', () => {
  expect(outcome({ exclusiveMinimum: 3 }, 3, { defaultDialect: 'draft-04' })).toBe('invalid');
});
