import { describe, expect, test } from 'vitest';
import { compileSchema } from '../../src/schema/index.js';
import { outcome } from './decide.js';

/** Limits that keep work within bounds: each is seen by what is no longer decided, or no longer told, beyond it. */
describe('A schema', () => {
  test('with a very long list is diagnosed up to that', () => {
    const codes = (length: number) =>
      compileSchema({ enum: Array.from({ length }, (_, i) => i), type: 'text' }).diagnostics.map(({ code }) => code);
    expect(codes(16 * 20_000)).toContain('malformed-keyword');
    expect(codes(16 * 20_001)).not.toContain('malformed-keyword');
  });

  const patterns = (count: number, pattern: (i: number) => string) => {
    const names = Array.from({ length: count }, (_, i) => `p${i}`);
    const schema = { properties: Object.fromEntries(names.map((name, i) => [name, { pattern: pattern(i) }])) };
    return outcome(schema, Object.fromEntries(names.map((name) => [name, 'a'])));
  };

  test('with very many patterns is not decided', () => {
    expect(patterns(900, (i) => `^a{0,${i + 1}}$`)).toBe('valid');
    expect(patterns(1100, (i) => `^a{0,${i + 1}}$`)).toBe('schema-size');
  });

  test('with very many classes of Unicode is not decided', () => {
    const classes = (count: number) => (i: number) => `^a{0,${i + 1}}|${'\\p{L}'.repeat(count)}$`;
    expect(patterns(35, classes(10))).toBe('valid');
    expect(patterns(50, classes(10))).toBe('schema-size');
  });

  test('takes names of mailboxes and hosts up to a length', () => {
    const asserted = { assertFormats: true };
    const mailbox = (length: number) => `${'a'.repeat(length - '@example.com'.length)}@example.com`;
    const decided = (text: string) => outcome({ format: 'idn-email' }, text, asserted);
    expect([decided(mailbox(60)), decided(mailbox(1001))]).toEqual(['valid', 'invalid']);
    expect(outcome({ format: 'idn-hostname' }, `${'a.'.repeat(500)}b`, asserted)).toBe('invalid');
  });
});
