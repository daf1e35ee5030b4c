import { describe, expect, test } from 'vitest';
import { compileSchema } from '../../src/schema/index.js';
import { repairArguments } from '../../src/repair/repair.js';

const integer = { type: 'integer' };
const list = { type: 'array', contains: { type: 'string' } };
const counts = [1, 4, 5, 6, 7, 8, 9, 12, 40, 99];

function malformedCall(count: number): { properties: Record<string, object>; args: Record<string, string> } {
  const names = Array.from({ length: count }, (_, i) => `k${i}`);
  return {
    properties: Object.fromEntries(names.map((name) => [name, integer])),
    args: Object.fromEntries(names.map((name) => [name, '7'])),
  };
}

function repaired(schema: object, args: object) {
  const { repairs, evaluation } = repairArguments(compileSchema(schema), args, 'safe', { budget: { ms: 60_000 } });
  return { outcome: evaluation.outcome, repairs: repairs.length };
}

describe.each(counts)('beside a decision of the schema, %i malformed arguments', (count) => {
  const { properties, args } = malformedCall(count);

  test.each([
    [
      'in an optional list',
      { properties: { q: { anyOf: [{ type: 'array', items: integer }, { type: 'null' }] } } },
      { q: Object.values(args) },
    ],
    ['in an optional object', { properties: { q: { anyOf: [{ properties }, { type: 'null' }] } } }, { q: args }],
    [
      'beside required branches',
      { properties: { ...properties, c: integer }, oneOf: [{ required: ['c'] }, { required: ['d'] }] },
      { c: 1, ...args },
    ],
    [
      'beside a condition that holds',
      {
        properties: { ...properties, recurring: { type: 'boolean' }, interval: integer },
        if: { properties: { recurring: { const: true } }, required: ['recurring'] },
        then: { required: ['interval'] },
      },
      { recurring: true, interval: 5, ...args },
    ],
  ])('are all repaired %s', (_, schema, given) => {
    expect(repaired(schema, given)).toEqual({ outcome: 'valid', repairs: count });
  });

  test.each([
    [
      'beside it',
      { properties: { c: list, ...properties }, oneOf: [{ required: ['c'] }, { required: ['d'] }] },
      { c: '[5,6]', ...args },
    ],
    [
      'in the same text',
      { properties: { q: { anyOf: [{ type: 'object', properties: { c: list, ...properties } }, { type: 'null' }] } } },
      { q: JSON.stringify({ c: [5, 6], ...args }) },
    ],
    [
      'in a wrapper',
      { properties: { c: list, ...properties }, required: ['c'], oneOf: [{ required: ['c'] }, { required: ['d'] }] },
      { input: { c: [5, 6], ...args } },
    ],
  ])('do not hide that a list may be meant in two ways %s', (_, schema, given) => {
    expect(repaired(schema, given)).toMatchObject({ outcome: 'invalid' });
  });
});
