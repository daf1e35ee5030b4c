import { describe, expect, test } from 'vitest';
import { outcome } from './decide.js';

/** A schema that cannot be decided, whatever the value. */
const open = { $ref: '#/missing' };
const yes = true;
const no = false;

describe('What is undetermined decides nothing', () => {
  test.each<[schema: object, expected: string]>([
    [{ allOf: [open, yes] }, 'unresolved-reference'],
    [{ allOf: [open, no] }, 'invalid'],
    [{ anyOf: [open, yes] }, 'valid'],
    [{ anyOf: [open, no] }, 'unresolved-reference'],
    [{ oneOf: [open, no] }, 'unresolved-reference'],
    [{ oneOf: [open, yes] }, 'unresolved-reference'],
    [{ oneOf: [open, yes, yes] }, 'invalid'],
    [{ not: open }, 'unresolved-reference'],
    [{ not: { allOf: [open, no] } }, 'valid'],
    [{ not: { anyOf: [open, yes] } }, 'invalid'],
    [{ if: open, then: yes, else: yes }, 'valid'],
    [{ if: open, then: no, else: no }, 'invalid'],
    [{ if: open, then: yes, else: no }, 'unresolved-reference'],
    [{ if: open, then: no }, 'unresolved-reference'],
    [{ if: open }, 'valid'],
    [{ if: yes, then: yes, else: open }, 'valid'],
    [{ anyOf: [{ not: open }, yes], not: { allOf: [open, no] } }, 'valid'],
  ])('%j', (schema, expected) => {
    expect(outcome(schema, 1)).toBe(expected);
  });

  test.each<[schema: object, instance: unknown, expected: string]>([
    [{ contains: open }, [1], 'unresolved-reference'],
    [{ contains: open }, [], 'invalid'],
    [{ contains: open, minContains: 0 }, [1, 2], 'valid'],
    [{ contains: open, minContains: 3 }, [1, 2], 'invalid'],
    [{ contains: { anyOf: [{ const: 1 }, { const: 2, ...open }] }, maxContains: 1 }, [1, 1], 'invalid'],
    [{ contains: { anyOf: [{ const: 1 }, { const: 2, ...open }] }, maxContains: 1 }, [1, 2], 'unresolved-reference'],
    [{ contains: { anyOf: [{ const: 1 }, { const: 2, ...open }] } }, [1, 2], 'valid'],
    [{ items: open }, [], 'valid'],
    [{ items: { anyOf: [{ type: 'integer' }, open] } }, [1, 2], 'valid'],
    [{ propertyNames: open }, { a: 1 }, 'unresolved-reference'],
    [{ dependentSchemas: { a: open } }, { b: 1 }, 'valid'],
  ])('%j of %j', (schema, instance, expected) => {
    expect(outcome(schema, instance)).toBe(expected);
  });

  test.each<[schema: object, instance: unknown, expected: string]>([
    // The open branch may have evaluated the member.
    [
      { anyOf: [{ properties: { a: true } }, open], unevaluatedProperties: false },
      { a: 1, b: 1 },
      'unresolved-reference',
    ],
    [{ anyOf: [{ properties: { a: true } }, open], unevaluatedProperties: false }, { a: 1 }, 'valid'],
    // It has not, if the member would be accepted anyway.
    [{ anyOf: [true, open], unevaluatedProperties: { type: 'integer' } }, { b: 1 }, 'valid'],
    // Undetermined, so what it would evaluate does not count as evaluated.
    [
      { anyOf: [true, { properties: { a: true }, not: open }], unevaluatedProperties: false },
      { a: 1 },
      'unresolved-reference',
    ],
    [{ if: open, then: { properties: { a: true } }, unevaluatedProperties: false }, { a: 1 }, 'unresolved-reference'],
    [{ anyOf: [{ prefixItems: [true] }, open], unevaluatedItems: false }, [1, 2], 'unresolved-reference'],
    [{ anyOf: [{ prefixItems: [true, true] }, open], unevaluatedItems: false }, [1, 2], 'valid'],
    [
      { contains: { anyOf: [{ const: 1 }, { const: 2, ...open }] }, unevaluatedItems: false },
      [1, 2],
      'unresolved-reference',
    ],
    // Not through `not`: its annotations are dropped.
    [{ not: { not: open }, unevaluatedProperties: false }, { a: 1 }, 'invalid'],
  ])('nor what was evaluated: %j of %j', (schema, instance, expected) => {
    expect(outcome(schema, instance)).toBe(expected);
  });
});
