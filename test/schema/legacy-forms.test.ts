import { describe, expect, test } from 'vitest';
import { compileSchema } from '../../src/schema/compile/compile.js';
import type { Dialect } from '../../src/schema/keywords/keyword.js';
import { outcome } from './decide.js';

const newer: readonly Dialect[] = ['2019-09', '2020-12'];

describe('Forms of older dialects under newer ones', () => {
  const cases: readonly [what: string, schema: unknown, accepted: unknown, refused: unknown][] = [
    ['an array in items', { items: [{ type: 'string' }, { type: 'integer' }] }, ['a', 1, null], ['a', 'b']],
    [
      'additionalItems beside it',
      { items: [{ type: 'string' }], additionalItems: { type: 'integer' } },
      ['a', 1],
      ['a', 'b'],
    ],
    ['definitions', { $ref: '#/definitions/a', definitions: { a: { type: 'string' } } }, 'a', 1],
    ['dependencies on properties', { dependencies: { a: ['b'] } }, { a: 1, b: 1 }, { a: 1 }],
    ['dependencies on a schema', { dependencies: { a: { required: ['b'] } } }, { b: 1 }, { a: 1 }],
    ['a boolean exclusiveMinimum', { minimum: 3, exclusiveMinimum: true }, 4, 3],
    ['a boolean exclusiveMaximum', { maximum: 3, exclusiveMaximum: true }, 2, 3],
    ['exclusiveMinimum: false', { minimum: 3, exclusiveMinimum: false }, 3, 2],
    ['nullable beside type', { type: 'string', nullable: true }, null, 1],
    ['nullable: false', { type: 'string', nullable: false }, 'a', null],
  ];

  for (const dialect of newer) {
    test.each(cases)(`${dialect}: %s keeps its meaning`, (_, schema, accepted, refused) => {
      expect(outcome(schema, accepted, { defaultDialect: dialect })).toBe('valid');
      expect(outcome(schema, refused, { defaultDialect: dialect })).toBe('invalid');
    });
  }

  test("2020-12: 2019-09's $recursiveRef keeps its meaning", () => {
    const tree = { type: 'object', properties: { child: { $recursiveRef: '#' } }, additionalProperties: false };
    expect(outcome(tree, { child: { child: {} } })).toBe('valid');
    expect(outcome(tree, { child: { other: 1 } })).toBe('invalid');
  });

  test('an array in items and a boolean exclusiveMinimum are noted under 2020-12', () => {
    const { diagnostics } = compileSchema({ items: [{}], contains: { minimum: 1, exclusiveMinimum: true } });
    expect(diagnostics.map(({ code, schemaLocation }) => [code, schemaLocation])).toEqual([
      ['legacy-keyword', '#/items'],
      ['legacy-keyword', '#/contains/exclusiveMinimum'],
    ]);
  });

  test('nullable is honoured with a note', () => {
    expect(compileSchema({ properties: { a: { type: 'string', nullable: true } } }).diagnostics).toMatchObject([
      { severity: 'note', code: 'nullable', schemaLocation: '#/properties/a/type' },
    ]);
  });
});

describe('Forms of newer dialects under older ones', () => {
  test.each<[what: string, dialect: Dialect, schema: unknown, instance: unknown]>([
    ['prefixItems', 'draft-07', { prefixItems: [{ type: 'string' }] }, [1]],
    ['dependentRequired', 'draft-07', { dependentRequired: { a: ['b'] } }, { a: 1 }],
    ['const', 'draft-04', { const: 1 }, 2],
    ['if', 'draft-06', { if: true, then: false }, 1],
    ['minContains', 'draft-07', { contains: { const: 1 }, minContains: 2 }, [1]],
  ])('%s means nothing under %s and is noted', (_, defaultDialect, schema, instance) => {
    expect(outcome(schema, instance, { defaultDialect })).toBe('valid');
    const { diagnostics } = compileSchema(schema, { defaultDialect });
    expect(diagnostics.map(({ code }) => code)).toContain('unknown-keyword');
  });

  test('a numeric exclusiveMinimum, malformed in draft-04, is honoured there', () => {
    expect(outcome({ exclusiveMinimum: 3 }, 3, { defaultDialect: 'draft-04' })).toBe('invalid');
  });
});
