import { describe, expect, test, vi } from 'vitest';
import { diagnosed, outcome, violations } from './decide.js';

const asserted = { assertFormats: true };

/** Each format with the longest text that is checked without the watchdog. */
const formats: Record<string, number> = {
  ...{ 'date-time': 5000, date: 5000, time: 5000, duration: 5000, hostname: 5000, 'idn-hostname': 5000, ipv4: 5000 },
  ...{ uuid: 5000, 'json-pointer': 5000, 'relative-json-pointer': 5000, email: 200, ipv6: 200, uri: 200 },
  ...{ 'uri-reference': 200, iri: 200, 'iri-reference': 200, 'uri-template': 200, regex: 200, 'idn-email': 16 },
};

describe('Formats', () => {
  test('Formats are annotations by default and asserted on demand', () => {
    expect(outcome({ format: 'date' }, 'tomorrow')).toBe('valid');
    expect(outcome({ format: 'date' }, 5, asserted)).toBe('valid');
    expect(violations({ format: 'date' }, 'tomorrow', asserted)).toMatchObject([
      { keyword: 'format', message: '(root): must be a valid date, received string "tomorrow"' },
    ]);
  });

  test.each([
    ...['int32', 'int64', 'float', 'double', 'uint', 'password', 'binary', 'byte'].map((name) => [name, []] as const),
    ['nonsense', ['unknown-format #/format']] as const,
  ])('The format %s, of OpenAPI or unknown, is not asserted; noted: %j', (format, notes) => {
    expect(diagnosed({ format })).toEqual(notes);
    expect(outcome({ format }, 'x', asserted)).toBe('valid');
  });

  test('Formats print nothing, whatever they reject', () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    for (const text of ['xn--X', '-a', 'a..b', '〮', 'a'.repeat(300)]) {
      outcome({ format: 'hostname' }, text, asserted);
      outcome({ format: 'idn-hostname' }, text, asserted);
      outcome({ format: 'idn-email' }, `a@${text}`, asserted);
    }
    expect(log).not.toHaveBeenCalled();
    log.mockRestore();
  });

  test.each(Object.keys(formats))('The format %s cannot hang the process', (format) => {
    const seeds = ['é', 'a', '1', 'a.', 'a-', '%61', ':', 'a:', '/', '{a}', '(', '(a', 'é.', '0:', 'xn--a.', '"', 'a@'];
    for (const seed of seeds) {
      for (const length of [15, 200, 4000, 30_000]) {
        for (const around of ['_!', 'a@_ ', 'http://_\u0000', '"_']) {
          const text = around.replace('_', seed.repeat(length / seed.length));
          const decided = outcome({ format }, text, { ...asserted, budget: { patternMs: 5 } });
          expect(['valid', 'invalid', 'pattern-time']).toContain(decided);
        }
      }
    }
  });

  // Without any time for the watchdog, values that need it are undetermined.
  test.each(Object.entries(formats))(
    'The format %s is checked under the watchdog beyond %i characters',
    (format, length) => {
      const decided = (text: string) => outcome({ format }, text, { ...asserted, budget: { patternMs: 0 } });
      expect(decided('x'.repeat(length))).not.toBe('pattern-time');
      expect(decided('x'.repeat(length + 1))).toBe('pattern-time');
    },
  );
});
