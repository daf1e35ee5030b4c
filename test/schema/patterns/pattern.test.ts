import { describe, expect, test } from 'vitest';
import { Pattern } from '../../../src/schema/patterns/pattern.js';
import { compileSchema } from '../../../src/schema/index.js';
import { decide, outcome } from '../decide.js';

/** Never ends in practice: 2^60 ways. */
const endless = 'a'.repeat(60) + '!';

describe('Patterns', () => {
  test.each([
    ['^\\p{L}+$', 'é', true],
    ['^.$', '😀', true], // with the u flag a character is a code point
    ['^[\\w-.]+_$', 'a-b._', true], // not valid with the u flag, but without it
    ['^\\-$', '-', true],
    ['^{.+}$', '{a}', true],
    ['a', 'bab', true], // not anchored
    ['^(\\w)\\1$', 'aa', true],
    ['^(\\w)\\1$', 'ab', false],
    ['^(a+)+$', 'aaa', true],
    ['^(a+)+$', 'aab', false],
  ])("%s in %s: %s, as JavaScript's own RegExp says", (source, text, expected) => {
    expect(new Pattern(source).find(text, { remainingMs: 1000 })).toBe(expected);
  });

  test.each(['^(a+)+$', '^(a|a)*$', '(a*)*b$', '^(?:a+a+)+$', '^(.*)*\\d$', '(.+)+=\\1;'])(
    '%s cannot hang the process',
    (source) => {
      const clock = { remainingMs: 20 };
      expect(new Pattern(source).find(endless, clock)).toBeUndefined();
      expect(clock.remainingMs).toBeLessThanOrEqual(0);
    },
  );

  test('that are risky are not tried any more once the time is up', () => {
    const clock = { remainingMs: 0 };
    expect(new Pattern('^(a+)+$').find('a'.repeat(30), clock)).toBeUndefined();
    expect(new Pattern('^a+$').find('a', clock)).toBe(true);
  });

  test('share one clock within an evaluation', () => {
    const schema = { items: { pattern: '^(a+)+$' } };
    const items = Array.from({ length: 500 }, () => endless);
    expect(outcome(schema, items, { budget: { patternMs: 30 } })).toBe('pattern-time');
  });

  test('that take too long decide nothing, and what is decided elsewhere stands', () => {
    const budget = { patternMs: 20 };
    const slow = { pattern: '^(a+)+$' };
    expect(outcome({ anyOf: [slow, true] }, endless, { budget })).toBe('valid');
    expect(outcome({ not: slow }, endless, { budget })).toBe('pattern-time');
    expect(outcome({ allOf: [slow, { maxLength: 3 }] }, endless, { budget })).toBe('invalid');
  });

  test('that take too long for a name leave open whether it is covered', () => {
    const budget = { patternMs: 20 };
    const instance = { [endless]: 1 };
    const slow = (schema: unknown) => ({ '^(a+)+$': schema });
    expect(outcome({ patternProperties: slow({ type: 'integer' }) }, instance, { budget })).toBe('valid');
    expect(outcome({ patternProperties: slow(false) }, instance, { budget })).toBe('pattern-time');
    expect(outcome({ patternProperties: slow(true), additionalProperties: false }, instance, { budget })).toBe(
      'pattern-time',
    );
    expect(outcome({ patternProperties: slow(true), unevaluatedProperties: false }, instance, { budget })).toBe(
      'pattern-time',
    );
  });

  test.each(['(?P<year>\\d{4})', '[', '(?<=', 'a{2,1}', '*'])(
    '%s, which JavaScript cannot read, is a note and left to the server',
    (source) => {
      const schema = {
        properties: { a: { pattern: source } },
        patternProperties: { [source]: false },
        additionalProperties: false,
      };
      expect(outcome(schema, { a: 'x', b: 1 })).toBe('valid');
      expect(compileSchema(schema).diagnostics).toMatchObject([
        { severity: 'note', code: 'unparsable-pattern', schemaLocation: '#/patternProperties' },
        { severity: 'note', code: 'unparsable-pattern', schemaLocation: '#/properties/a/pattern' },
      ]);
    },
  );

  test('longer than 10,000 characters are not tried', () => {
    expect(decide({ pattern: 'a|'.repeat(6000) }, 'a')).toMatchObject({
      outcome: 'undetermined',
      reason: 'pattern-time',
    });
  });

  test('that are risky are noted', () => {
    const codes = (pattern: string) => compileSchema({ pattern }).diagnostics.map(({ code }) => code);
    expect(codes('^(a+)+$')).toEqual(['risky-pattern']);
    expect(codes('^[a-z]+$')).toEqual([]);
  });
});
