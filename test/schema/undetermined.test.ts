import { expect, test } from 'vitest';
import { integer } from '../../test-support/schemas/short.js';
import { outcome } from './decide.js';

/** A schema that is undetermined for every value. */
const open = { $ref: '#/missing' };
const is = 'unresolved-reference';
const yes = true;
const no = false;
const oneOrMaybeTwo = { anyOf: [{ const: 1 }, { const: 2, ...open }] };
const member = { properties: { a: true } };

test.each<[schema: object, expected: string]>([
  [{ allOf: [open, yes] }, is],
  [{ allOf: [open, no] }, 'invalid'],
  [{ anyOf: [open, yes] }, 'valid'],
  [{ anyOf: [open, no] }, is],
  [{ oneOf: [open, no] }, is],
  [{ oneOf: [open, yes] }, is],
  [{ oneOf: [open, yes, yes] }, 'invalid'],
  [{ not: open }, is],
  [{ not: { allOf: [open, no] } }, 'valid'],
  [{ not: { anyOf: [open, yes] } }, 'invalid'],
  [{ if: open, then: yes, else: yes }, 'valid'],
  [{ if: open, then: no, else: no }, 'invalid'],
  [{ if: open, then: yes, else: no }, is],
  [{ if: open, then: no }, is],
  [{ if: open }, 'valid'],
  [{ if: yes, then: yes, else: open }, 'valid'],
])('An undetermined part decides nothing: %j', (schema, expected) => {
  expect(outcome(schema, 1)).toBe(expected);
});

test.each<[schema: object, instance: unknown, expected: string]>([
  [{ contains: open }, [1], is],
  [{ contains: open }, [], 'invalid'],
  [{ contains: open, minContains: 0 }, [1, 2], 'valid'],
  [{ contains: open, minContains: 3 }, [1, 2], 'invalid'],
  [{ contains: oneOrMaybeTwo, maxContains: 1 }, [1, 1], 'invalid'],
  [{ contains: oneOrMaybeTwo, maxContains: 1 }, [1, 2], is],
  [{ contains: oneOrMaybeTwo }, [1, 2], 'valid'],
  [{ items: open }, [], 'valid'],
  [{ items: { anyOf: [integer, open] } }, [1, 2], 'valid'],
  [{ propertyNames: open }, { a: 1 }, is],
  [{ dependentSchemas: { a: open } }, { b: 1 }, 'valid'],
])('An undetermined part decides nothing: %j of %j', (schema, instance, expected) => {
  expect(outcome(schema, instance)).toBe(expected);
});

test.each<[schema: object, instance: unknown, expected: string]>([
  // The undetermined branch may have evaluated the member.
  [{ anyOf: [member, open], unevaluatedProperties: no }, { a: 1, b: 1 }, is],
  [{ anyOf: [member, open], unevaluatedProperties: no }, { a: 1 }, 'valid'],
  [{ ...open, unevaluatedProperties: no }, { a: 1 }, is],
  [{ allOf: [open], unevaluatedProperties: no }, { a: 1 }, is],
  // If the member is accepted anyway, that does not matter.
  [{ anyOf: [yes, open], unevaluatedProperties: integer }, { b: 1 }, 'valid'],
  // An undetermined branch does not count as having evaluated the member.
  [{ anyOf: [yes, { ...member, not: open }], unevaluatedProperties: no }, { a: 1 }, is],
  [{ if: open, then: member, unevaluatedProperties: no }, { a: 1 }, is],
  [{ anyOf: [{ prefixItems: [yes] }, open], unevaluatedItems: no }, [1, 2], is],
  [{ anyOf: [{ prefixItems: [yes, yes] }, open], unevaluatedItems: no }, [1, 2], 'valid'],
  [{ allOf: [open], unevaluatedItems: no }, [1], is],
  [{ contains: oneOrMaybeTwo, unevaluatedItems: no }, [1, 2], is],
  // Not through `not`: its annotations are dropped.
  [{ not: { not: open }, unevaluatedProperties: no }, { a: 1 }, 'invalid'],
])('nor what was evaluated: %j of %j', (schema, instance, expected) => {
  expect(outcome(schema, instance)).toBe(expected);
});
