import { describe, expect, test, vi } from 'vitest';
import { watched } from '../../../src/schema/patterns/watchdog.js';
import { compileSchema } from '../../../src/schema/compile/compile.js';
import { decide, outcome } from '../decide.js';

/** Never ends in practice: 2^60 ways. */
const endless = 'a'.repeat(60) + '!';

const thousands = Array.from({ length: 50_000 }, (_, id) => ({ id, name: 'a name' }));

/** Microseconds that this process worked, in its own time or the system's: how they are shared out is a guess. */
function worked(task: () => void): number {
  const before = process.cpuUsage();
  task();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

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
    expect(outcome({ pattern: source }, text)).toBe(expected ? 'valid' : 'invalid');
  });

  test.each<[source: string, text: string]>([
    ...['^(a+)+$', '^(a|a)*$', '(a*)*b$', '^(?:a+a+)+$', '^(.*)*\\d$', '(.+)+=\\1;'].map(
      (source) => [source, endless] as [string, string],
    ),
    // Loops only where they are read without the `u` flag, as `\-` makes JavaScript do.
    ['^(?:\\p{1,9})*\\-$', 'p'.repeat(60)],
    ['^(?:\\u{2}|\\u{3})*\\-$', 'u'.repeat(200)],
    ['^(?:[\\u{61}]|[1u])*\\-$', 'u'.repeat(60)],
  ])('%s cannot hang the process, wherever it stands', (pattern, text) => {
    const budget = { patternMs: 20 };
    expect(outcome({ pattern }, text, { budget })).toBe('pattern-time');
    expect(outcome({ propertyNames: { pattern } }, { [text]: 1 }, { budget })).toBe('pattern-time');
    expect(outcome({ patternProperties: { [pattern]: false } }, { [text]: 1 }, { budget })).toBe('pattern-time');
  });

  test('that are risky are not tried any more once the time is up, the others are', () => {
    const schema = {
      properties: { a: { pattern: '^(a+)+$' }, b: { pattern: '^(b+)+$' }, c: { pattern: '^c+$' } },
    };
    const evaluation = decide(schema, { a: endless, b: 'bbb', c: 'ccc' }, { budget: { patternMs: 20 } });
    expect(evaluation).toMatchObject({ reason: 'pattern-time', instanceLocation: '/a' });
    expect(outcome(schema, { a: endless, b: 'bbb', c: 'd' }, { budget: { patternMs: 20 } })).toBe('invalid');
  });

  test('that are risky share the time: none is left for another one', () => {
    const schema = { properties: { a: { pattern: '^(a+)+$' }, b: { not: { pattern: '^(b+)+$' } } } };
    const within = (patternMs: number) => ({ budget: { patternMs } });
    expect(outcome(schema, { a: endless, b: 'b'.repeat(40) }, within(20))).toBe('pattern-time');
    expect(outcome(schema, { a: 'aaa', b: 'b'.repeat(40) }, within(60_000))).toBe('invalid');
  });

  test('that are risky take a watchdog for all rows together', () => {
    const schema = { items: { pattern: '^[a-z]+(-[a-z]+)*$' } };
    const rows = Array.from({ length: 20_000 }, (_, i) => `row-${'abcdefghij'.charAt(i % 10)}`);
    const budget = { patternMs: 60_000 };
    expect(outcome(schema, rows, { budget })).toBe('valid');
    expect(outcome(schema, [...rows, '-'], { budget })).toBe('invalid');
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

  // JavaScript compiles them for up to seconds, and nothing can stop it.
  test.each([
    ['longer than 10,000 characters', 'a|'.repeat(5001), 'a|'.repeat(4999)],
    ['with more loops', 'a?'.repeat(1500), 'a?'.repeat(1200)],
    ['with more groups', '(a)'.repeat(1300), '(a)'.repeat(1200)],
    ['with more boundaries', '\\b\\w?'.repeat(200), '\\b\\w?'.repeat(90)],
  ])('%s than any real one are not tried', (_, heavy, light) => {
    const budget = { ms: 60_000, patternMs: 60_000 };
    expect(outcome({ pattern: heavy }, 'a', { budget })).toBe('pattern-time');
    expect(outcome({ pattern: light }, 'a', { budget })).not.toBe('pattern-time');
  });

  // It reads them well, and overflows its stack only when it compiles them for the first match; a thread may have a larger one.
  test.each(['.', '(?:a+)+.'])('that JavaScript finds too large when it compiles them throw nothing: %s…', (start) => {
    const large = { pattern: start + '.'.repeat(9900) };
    for (const found of [outcome(large, '\u4444'), outcome({ propertyNames: large }, { '\u4444': 1 })])
      expect(['pattern-time', 'invalid']).toContain(found);
  });

  // V8 prepared its search for 2 s, of which no clock knows.
  test.each(['\\P{L}', '[^\\p{L}]', '[^\\p{L}\\p{N}]', '(?:.|.|.)'])(
    'eight %s in a row are compiled at once',
    (part) => {
      const compiling = worked(() => {
        expect(outcome({ pattern: `${part.repeat(8)}$` }, '\u4444\u4444aaa')).toBe('invalid');
      });
      const yardstick = worked(() => {
        for (let i = 0; i < 20; i++) JSON.stringify(thousands);
      });
      expect(compiling).toBeLessThan(yardstick);
    },
  );

  test('weigh by their Unicode properties, in either spelling', () => {
    const codes = (escape: string) =>
      outcome({ allOf: Array.from({ length: 10 }, (_, i) => ({ pattern: `${escape.repeat(45)}|${i}?` })) }, 'a');
    expect(['\\p{L}', '\\P{L}'].map(codes)).toEqual(['schema-size', 'schema-size']);
  });

  test('are compiled by the clock', () => {
    const allOf = Array.from({ length: 50 }, (_, i) => ({ pattern: `${'\\b\\w?'.repeat(60)}${i}?` }));
    expect(outcome({ allOf }, 'a', { budget: { ms: 0 } })).toBe('time');
    expect(outcome({ allOf: allOf.slice(0, 5) }, 'a', { budget: { ms: 60_000, patternMs: 60_000 } })).toBe('valid');
  });

  test('that are risky are noted', () => {
    const codes = (pattern: string) => compileSchema({ pattern }).diagnostics.map(({ code }) => code);
    expect(codes('^(a+)+$')).toEqual(['risky-pattern']);
    expect(codes('^[a-z]+$')).toEqual([]);
  });
});

describe('The watchdog', () => {
  test('gives the result of what ends in time', () => {
    expect(watched(() => 'done', 1000)).toEqual({ result: 'done' });
    expect(watched(() => 'done', Infinity)).toEqual({ result: 'done' });
    expect(watched(() => watched(() => 'within', 1000), 1000)).toEqual({ result: { result: 'within' } });
  });

  test.each([0, -1])('does nothing where %d ms are left', (ms) => {
    const work = vi.fn();
    expect(watched(work, ms)).toBeUndefined();
    expect(work).not.toHaveBeenCalled();
  });

  test('ends what does not end, and what uses up the stack', () => {
    const deeper = (): unknown => [deeper()];
    expect(watched(() => /^(a+)+$/.test(endless), 20)).toBeUndefined();
    expect(watched(deeper, 1000)).toBeUndefined();
  });

  test.each([[new TypeError('broken')], [{ code: 'OTHER' }], ['text'], [undefined], [null]])(
    'throws on what is thrown: %s',
    (thrown) => {
      const work = () => {
        throw thrown; // eslint-disable-line @typescript-eslint/only-throw-error -- anything can be thrown
      };
      expect.assertions(1);
      try {
        watched(work, 1000);
      } catch (error) {
        expect(error).toBe(thrown);
      }
    },
  );
});
