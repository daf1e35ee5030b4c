import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { watched } from '../../../src/schema/patterns/watchdog.js';
import { compileSchema } from '../../../src/schema/compile/compile.js';
import { worked } from '../../../test-support/measured.js';
import { integer, times } from '../../../test-support/schemas/short.js';
import { decide, diagnosed, outcome } from '../decide.js';

const { alike } = JSON.parse(readFileSync(new URL('./patterns.json', import.meta.url), 'utf8')) as {
  alike: [source: string, matches: string, other: string][];
};

/** Takes 2^60 attempts, so it never ends in practice. */
const endless = 'a'.repeat(60) + '!';
const slow = { pattern: '^(a+)+$' };
const within = (patternMs: number) => ({ budget: { patternMs } });

describe('Patterns', () => {
  test.each([
    ['^\\p{L}+$', 'é', true],
    ['^.$', '😀', true], // with the u flag a character is a code point
    ['a', 'bab', true], // not anchored
    ['^(\\w)\\1$', 'aa', true],
    ['^(\\w)\\1$', 'ab', false],
    ['^(a+)+$', 'aaa', true],
    ['^(a+)+$', 'aab', false],
  ])("The pattern %s in %s matches as JavaScript's own RegExp says: %s", (source, text, expected) => {
    expect(outcome({ pattern: source }, text)).toBe(expected ? 'valid' : 'invalid');
  });

  // ECMA-262, Annex B.1.2: allowed only in patterns without the flag.
  test.each(alike)(
    'The pattern %s means the same with and without the `u` flag: %s, and not %s',
    (source, matching, other) => {
      expect([outcome({ pattern: source }, matching), outcome({ pattern: source }, other)]).toEqual([
        'valid',
        'invalid',
      ]);
    },
  );

  test.each([
    ...['^(a+)+$', '^(a|a)*$', '(a*)*b$', '^(?:a+a+)+$', '^(.*)*\\d$', '(.+)+=\\1;'].map((source) => [source, endless]),
    ['^(?:\\w+\\-?)+\\-$', endless],
    ['^(?:[\\w-.]+)+$', endless],
  ] as [source: string, text: string][])('The pattern %s cannot hang the process in any keyword', (pattern, text) => {
    expect(outcome({ pattern }, text, within(20))).toBe('pattern-time');
    expect(outcome({ propertyNames: { pattern } }, { [text]: 1 }, within(20))).toBe('pattern-time');
    expect(outcome({ patternProperties: { [pattern]: false } }, { [text]: 1 }, within(20))).toBe('pattern-time');
  });

  test('Once the time is up, risky patterns are not matched, and others are', () => {
    const schema = { properties: { a: slow, b: { pattern: '^(b+)+$' }, c: { pattern: '^c+$' } } };
    const evaluation = decide(schema, { a: endless, b: 'bbb', c: 'ccc' }, within(20));
    expect(evaluation).toMatchObject({ reason: 'pattern-time', instanceLocation: '/a' });
    expect(outcome(schema, { a: endless, b: 'bbb', c: 'd' }, within(20))).toBe('invalid');
  });

  test('Risky patterns share one time limit', () => {
    const schema = { properties: { a: slow, b: { not: { pattern: '^(b+)+$' } } } };
    expect(outcome(schema, { a: endless, b: 'b'.repeat(40) }, within(20))).toBe('pattern-time');
    expect(outcome(schema, { a: 'aaa', b: 'b'.repeat(40) }, within(60_000))).toBe('invalid');
  });

  test('Risky patterns in all rows share one watchdog', () => {
    const schema = { items: { pattern: '^[a-z]+(-[a-z]+)*$' } };
    const rows = times(20_000, (i) => `row-${'abcdefghij'.charAt(i % 10)}`);
    expect(outcome(schema, rows, within(60_000))).toBe('valid');
    expect(outcome(schema, [...rows, '-'], within(60_000))).toBe('invalid');
  });

  const covered = (schema: unknown) => ({ patternProperties: { [slow.pattern]: schema } });

  test.each<[schema: object, instance: unknown, expected: string]>([
    [{ anyOf: [slow, true] }, endless, 'valid'],
    [{ not: slow }, endless, 'pattern-time'],
    [{ allOf: [slow, { maxLength: 3 }] }, endless, 'invalid'],
    [covered(integer), { [endless]: 1 }, 'valid'],
    [covered(false), { [endless]: 1 }, 'pattern-time'],
    [{ ...covered(true), additionalProperties: false }, { [endless]: 1 }, 'pattern-time'],
    [{ ...covered(true), unevaluatedProperties: false }, { [endless]: 1 }, 'pattern-time'],
  ])('Patterns that take too long leave the outcome undetermined, also for names: %j', (schema, instance, expected) => {
    expect(outcome(schema, instance, within(20))).toBe(expected);
  });

  test.each([
    ...['(?P<year>\\d{4})', '[', '(?<=', 'a{2,1}', '*', '\\Ax\\Z', '\\h', '^\\p{1,9}$', '\\p', '\\u12', '(.)\\2'],
    ...['^[[:alpha:]_]+$', '^[]a]+$', '^[^]]\\-$', '^[a-z&&[^b]]+$', '^[\\p{L}--[a-z]]+$'],
  ])('The pattern %s, which JavaScript cannot read, gives a note and is left to the server', (pattern) => {
    const schema = {
      properties: { a: { pattern } },
      patternProperties: { [pattern]: false },
      additionalProperties: false,
    };
    expect(outcome(schema, { a: 'x', b: 1 })).toBe('valid');
    expect(compileSchema(schema).diagnostics).toMatchObject([
      { severity: 'note', code: 'unparsable-pattern', schemaLocation: '#/patternProperties' },
      { severity: 'note', code: 'unparsable-pattern', schemaLocation: '#/properties/a/pattern' },
    ]);
  });

  // JavaScript compiles these for seconds, and nothing can stop it.
  test.each([
    ['longer than 10,000 characters', 'a|'.repeat(5001), 'a|'.repeat(4999)],
    ['with more loops', 'a?'.repeat(1500), 'a?'.repeat(1200)],
    ['with more groups', '(a)'.repeat(1300), '(a)'.repeat(1200)],
    ['with more boundaries', '\\b\\w?'.repeat(200), '\\b\\w?'.repeat(90)],
  ])('Patterns that are %s than any real one are not matched', (_, heavy, light) => {
    const budget = { ms: 60_000, patternMs: 60_000 };
    expect(outcome({ pattern: heavy }, 'a', { budget })).toBe('pattern-time');
    expect(outcome({ pattern: light }, 'a', { budget })).not.toBe('pattern-time');
  });

  // JavaScript parses these, and overflows its stack when it compiles them for the first match. A thread may have a
  // larger stack.
  test.each(['.', '(?:a+)+.'])('Patterns that are too large to compile throw nothing: %s…', (start) => {
    const large = { pattern: start + '.'.repeat(9900) };
    for (const found of [outcome(large, '\u4444'), outcome({ propertyNames: large }, { '\u4444': 1 })])
      expect(['pattern-time', 'invalid']).toContain(found);
  });

  // V8 prepared its search for 2 s, and no timer could interrupt it.
  test.each(['\\P{L}', '[^\\p{L}]', '[^\\p{L}\\p{N}]', '(?:.|.|.)'])(
    'Eight patterns %s in a row are compiled at once',
    (part) => {
      const compiling = worked(() => {
        expect(outcome({ pattern: `${part.repeat(8)}$` }, '\u4444\u4444aaa')).toBe('invalid');
      });
      const thousands = times(50_000, (id) => ({ id, name: 'a name' }));
      expect(compiling).toBeLessThan(worked(() => times(20, () => JSON.stringify(thousands))));
    },
  );

  test('The cost of a pattern counts its Unicode properties in either spelling', () => {
    const codes = (escape: string) =>
      outcome({ allOf: times(10, (i) => ({ pattern: `${escape.repeat(45)}|${i}?` })) }, 'a');
    expect(['\\p{L}', '\\P{L}'].map(codes)).toEqual(['schema-size', 'schema-size']);
  });

  test('The compilation of patterns has a time limit', () => {
    const allOf = times(50, (i) => ({ pattern: `${'\\b\\w?'.repeat(60)}${i}?` }));
    expect(outcome({ allOf }, 'a', { budget: { ms: 0 } })).toBe('time');
    expect(outcome({ allOf: allOf.slice(0, 5) }, 'a', { budget: { ms: 60_000, patternMs: 60_000 } })).toBe('valid');
  });

  test('Risky patterns have a note', () => {
    expect(diagnosed(slow)).toEqual(['risky-pattern #/pattern']);
    expect(diagnosed({ pattern: '^[a-z]+$' })).toEqual([]);
  });
});

test('The watchdog returns the result of work that ends in time', () => {
  expect(watched(() => 'done', 1000)).toEqual({ result: 'done' });
  expect(watched(() => 'done', Infinity)).toEqual({ result: 'done' });
  expect(watched(() => watched(() => 'within', 1000), 1000)).toEqual({ result: { result: 'within' } });
});

test.each([0, -1])('The watchdog does nothing if %d ms are left', (ms) => {
  const work = vi.fn();
  expect(watched(work, ms)).toBeUndefined();
  expect(work).not.toHaveBeenCalled();
});

test('The watchdog stops endless work and work that exhausts the stack', () => {
  const deeper = (): unknown => [deeper()];
  expect(watched(() => /^(a+)+$/.test(endless), 20)).toBeUndefined();
  expect(watched(deeper, 1000)).toBeUndefined();
});

test.each([[new TypeError('broken')], [{ code: 'OTHER' }], [undefined], [null]])(
  'The watchdog rethrows %s',
  (thrown) => {
    const work = vi.fn().mockThrow(thrown);
    expect.assertions(1);
    try {
      watched(work, 1000);
    } catch (error) {
      expect(error).toBe(thrown);
    }
  },
);
