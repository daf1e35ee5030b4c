import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { members, texts, times } from '../../test-support/schemas/short.js';
import { outcome, violations } from './decide.js';

/** Limits of one schema. Beyond each, something is no longer decided or described. */

test('Names of mailboxes and hosts are accepted up to a length', () => {
  const decided = (format: string, text: string) => outcome({ format }, text, { assertFormats: true });
  const mailbox = (length: number) => `${'a'.repeat(length - '@example.com'.length)}@example.com`;
  expect([60, 1001].map((length) => decided('idn-email', mailbox(length)))).toEqual(['valid', 'invalid']);
  expect(decided('idn-hostname', `${'a.'.repeat(500)}b`)).toBe('invalid');
});

describe('violations of large schemas', () => {
  const messages = (schema: object, instance: unknown) => violations(schema, instance).map(({ message }) => message);

  test('Violations are explained within a limit of steps, and half of the time for the verdict', () => {
    const names = texts(600, 'property_number_');
    const items = { properties: members(names.slice(0, 400)), additionalProperties: false };
    const rows = times(20, (row) => members(names.slice(row, row + 12).map((name) => name.replace('y', 'i'))));
    let now = 0;
    let lookMs = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += lookMs));
    onTestFinished(() => clock.mockRestore());
    const suggestions = () => messages({ items }, rows).filter((message) => message.includes('did you mean')).length;

    const ofAll = suggestions();
    expect(ofAll).toBeGreaterThan(10);
    expect(ofAll).toBeLessThan(90);
    lookMs = 1;
    expect(suggestions()).toBeGreaterThan(10);
    expect(suggestions()).toBeLessThan(ofAll);
  });

  test('Suggestions come only from the first parts of a schema', () => {
    const near = (parts: number) => {
      const allOf = times(parts, (i) => ({ properties: { [`unlike_${i}`]: {} } }));
      const schema = { allOf: [...allOf, { properties: { colour: {} } }], unevaluatedProperties: false };
      return messages(schema, { color: 1 }).join();
    };
    expect(near(31)).toContain('did you mean "colour"');
    expect(near(32)).not.toContain('colour');
  });
});
