import { describe, expect, test } from 'vitest';
import { compileSchema, evaluate } from '../../src/index.js';
import { resolveLocalReference, valueAt } from '../../src/json/index.js';

const document = {
  $defs: { 'a/b': { type: 'integer' }, a: { c: { type: 'string' } }, 'per%cent': { type: 'null' }, list: [true] },
};

describe('a local reference', () => {
  test.each([
    ['#', document],
    ['#/$defs/a/c', { type: 'string' }],
    ['#/$defs/a~1b', { type: 'integer' }],
    ['#/$defs/a%2Fb', { type: 'integer' }],
    ['#/%24defs/a%2Fc', { type: 'string' }],
    ['#/$defs/per%25cent', { type: 'null' }],
    ['#/$defs/list/0', true],
    ['#/$defs/list/00', undefined],
    ['#/$defs/none', undefined],
    ['#/$defs/%E0%A4%A', undefined],
    ['#/__proto__', undefined],
    ['#anchor', undefined],
    ['other.json#/x', undefined],
  ])('%s', (reference, expected) => {
    expect(resolveLocalReference(document, reference)).toEqual(expected);
  });

  test('means the same to the evaluator', () => {
    const compiled = compileSchema({ ...document, $ref: '#/$defs/a%2Fb' });
    expect(evaluate(compiled, 1).outcome).toBe('valid');
    expect(evaluate(compiled, 'x').outcome).toBe('invalid');
  });
});

test('a pointer leads to no inherited property', () => {
  expect(valueAt({}, '/constructor')).toBeUndefined();
  expect(valueAt([], '/length')).toBeUndefined();
});
