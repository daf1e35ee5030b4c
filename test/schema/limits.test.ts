import { afterEach, describe, expect, test, vi } from 'vitest';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { evaluate } from '../../src/schema/evaluate/evaluate.js';
import { outcome } from './decide.js';

/** Limits on what one schema may take: each shows in what is no longer decided, or no longer described, beyond it. */
describe('A schema', () => {
  test('with a very long list is diagnosed up to that', () => {
    const codes = (length: number) =>
      compileSchema({ enum: Array.from({ length }, (_, i) => i), type: 'text' }).diagnostics.map(({ code }) => code);
    expect(codes(16 * 20_000)).toContain('malformed-keyword');
    expect(codes(16 * 20_001)).not.toContain('malformed-keyword');
  });

  test('takes names of mailboxes and hosts up to a length', () => {
    const asserted = { assertFormats: true };
    const mailbox = (length: number) => `${'a'.repeat(length - '@example.com'.length)}@example.com`;
    const decided = (text: string) => outcome({ format: 'idn-email' }, text, asserted);
    expect([decided(mailbox(60)), decided(mailbox(1001))]).toEqual(['valid', 'invalid']);
    expect(outcome({ format: 'idn-hostname' }, `${'a.'.repeat(500)}b`, asserted)).toBe('invalid');
  });
});

describe('A refusal', () => {
  const names = Array.from({ length: 600 }, (_, i) => `property_number_${i}`);
  const closed = (count: number) => ({
    properties: Object.fromEntries(names.slice(0, count).map((name) => [name, {}])),
    additionalProperties: false,
  });
  const messages = (schema: object, instance: unknown) => {
    const evaluation = evaluate(compileSchema(schema), instance);
    return evaluation.outcome === 'invalid' ? evaluation.violations.map(({ message }) => message) : [];
  };

  describe('by the clock', () => {
    afterEach(() => vi.restoreAllMocks());

    /** How many of a hundred properties get a suggestion where each look at the clock takes some time. */
    const hints = (lookMs: number) => {
      let now = 0;
      vi.spyOn(performance, 'now').mockImplementation(() => (now += lookMs));
      const rows = Array.from({ length: 20 }, (_, row) =>
        Object.fromEntries(names.slice(row, row + 12).map((name) => [name.replace('y', 'i'), 1])),
      );
      return messages({ items: closed(400) }, rows).filter((message) => message.includes('did you mean')).length;
    };

    test('is explained within so many steps, and half of the time that deciding may take', () => {
      const ofAll = hints(0);
      expect(ofAll).toBeGreaterThan(10);
      expect(ofAll).toBeLessThan(90);
      expect(hints(1)).toBeGreaterThan(10);
      expect(hints(1)).toBeLessThan(ofAll);
    });
  });

  test('names what is near among the first parts of a schema only', () => {
    const near = (parts: number) => {
      const allOf = Array.from({ length: parts }, (_, i) => ({ properties: { [`unlike_${i}`]: {} } }));
      const schema = { allOf: [...allOf, { properties: { colour: {} } }], unevaluatedProperties: false };
      return messages(schema, { color: 1 }).join();
    };
    expect(near(31)).toContain('did you mean "colour"');
    expect(near(32)).not.toContain('colour');
  });
});
