import { describe, expect, test } from 'vitest';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { outcome } from './decide.js';

describe('Compiled schemas', () => {
  test('are found again by identity', () => {
    const schema = { type: 'string' };
    expect(compileSchema(schema)).toBe(compileSchema(schema));
  });

  test('are kept apart by dialect', () => {
    const schema = { prefixItems: [false] };
    expect(outcome(schema, [1], { defaultDialect: 'draft-07' })).toBe('valid');
    expect(outcome(schema, [1], { defaultDialect: '2020-12' })).toBe('invalid');
  });

  test('with documents of their own are not cached', () => {
    const schema = { $ref: 'https://example.com/a' };
    expect(outcome(schema, 1, { documents: { 'https://example.com/a': true } })).toBe('valid');
    expect(outcome(schema, 1, { documents: { 'https://example.com/a': false } })).toBe('invalid');
    expect(outcome(schema, 1)).toBe('unresolved-reference');
  });
});
