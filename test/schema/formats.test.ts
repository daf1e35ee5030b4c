import { describe, expect, test, vi } from 'vitest';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { outcome, violations } from './decide.js';

const asserted = { assertFormats: true };

describe('Formats', () => {
  test('are annotations by default and asserted on demand', () => {
    expect(outcome({ format: 'date' }, 'tomorrow')).toBe('valid');
    expect(outcome({ format: 'date' }, 'tomorrow', asserted)).toBe('invalid');
    expect(violations({ format: 'date' }, 'tomorrow', asserted)).toMatchObject([
      { keyword: 'format', message: '(root): must be a valid date, received string "tomorrow"' },
    ]);
  });

  test('say nothing about what is no string', () => {
    expect(outcome({ format: 'date' }, 5, asserted)).toBe('valid');
  });

  test.each(['int32', 'int64', 'float', 'double', 'uint', 'password', 'binary', 'byte'])(
    '%s, of OpenAPI, is known but not asserted',
    (format) => {
      expect(compileSchema({ format }).diagnostics).toEqual([]);
      expect(outcome({ format }, 'x', asserted)).toBe('valid');
    },
  );

  test('that are unknown are noted and not asserted', () => {
    expect(compileSchema({ format: 'nonsense' }).diagnostics).toMatchObject([
      { severity: 'note', code: 'unknown-format' },
    ]);
    expect(outcome({ format: 'nonsense' }, 'x', asserted)).toBe('valid');
  });

  test('print nothing, whatever they refuse', () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    for (const text of ['xn--X', '-a', 'a..b', '〮', 'a'.repeat(300)]) {
      outcome({ format: 'hostname' }, text, asserted);
      outcome({ format: 'idn-hostname' }, text, asserted);
      outcome({ format: 'idn-email' }, `a@${text}`, asserted);
    }
    expect(log).not.toHaveBeenCalled();
    log.mockRestore();
  });

  test.each([
    ...['date-time', 'date', 'time', 'duration', 'email', 'idn-email', 'hostname', 'idn-hostname', 'ipv4', 'ipv6'],
    ...['uri', 'uri-reference', 'iri', 'iri-reference', 'uuid', 'uri-template'],
    ...['json-pointer', 'relative-json-pointer', 'regex'],
  ])('%s cannot hang the process', (format) => {
    const lengths = [15, 60, 200, 4000, 30_000];
    const seeds = ['é', 'a', '1', 'a.', 'a-', '%61', ':', 'a:', '/', '{a}', '(', '(a', 'é.', '0:', 'xn--a.', '"', 'a@'];
    for (const seed of seeds) {
      for (const length of lengths) {
        for (const around of ['_!', 'a@_ ', 'http://_\u0000', '"_']) {
          const text = around.replace('_', seed.repeat(length / seed.length));
          expect(['valid', 'invalid', 'pattern-time']).toContain(
            outcome({ format }, text, { ...asserted, budget: { patternMs: 5 } }),
          );
        }
      }
    }
  });

  // Without any time for the watchdog, whatever needs it is not decided.
  test.each([
    ...['date-time', 'date', 'time', 'duration', 'hostname', 'idn-hostname', 'ipv4', 'uuid'].map(
      (name) => [name, 5000] as const,
    ),
    ...['json-pointer', 'relative-json-pointer'].map((name) => [name, 5000] as const),
    ...['email', 'ipv6', 'uri', 'uri-reference', 'iri', 'iri-reference'].map((name) => [name, 200] as const),
    ...['uri-template', 'regex'].map((name) => [name, 200] as const),
    ['idn-email', 16] as const,
  ])('%s is checked under the watchdog beyond %i characters', (format, length) => {
    const decide = (text: string) => outcome({ format }, text, { ...asserted, budget: { patternMs: 0 } });
    expect(decide('x'.repeat(length))).not.toBe('pattern-time');
    expect(decide('x'.repeat(length + 1))).toBe('pattern-time');
  });
});
