import { describe, expect, test } from 'vitest';
import { parsePattern } from '../../../src/schema/patterns/parse.js';
import { worstCaseSteps } from '../../../src/schema/patterns/work.js';

/** Steps for a text of the given length; infinite where the pattern is not judged. */
function steps(source: string, length = 40): number {
  const part = parsePattern(source);
  return part ? worstCaseSteps(part, length) : Infinity;
}

describe('The worst case of a pattern', () => {
  test.each([
    ...[
      '^(a+)+$',
      '^(a*)*$',
      '^(.*?)*$',
      '(x+x+)+y',
      '^(a|a)*$',
      '^(a|ab|b)*$',
      '^(a|aa)+$',
      '(.*,)*$',
      '^(\\w+\\s?)*$',
    ],
    ...['^(([a-z])+.)+[A-Z]([a-z])+$', '^([^a]|b|[c-d])*$', '(?:a?){1000}', `${'a?'.repeat(30)}${'a'.repeat(30)}`],
    ...['(a{1,100}){1,100}', '^(?=(a+)+$)', '^(?:\\d+,?)*$', '([a-zA-Z]+)*', '^(?:[-a]+b?)*$', '(\\s*a\\s*)*$'],
  ])('%s may take millions of steps', (source) => {
    expect(steps(source)).toBeGreaterThan(1_000_000);
  });

  test.each([
    ...[
      '^[a-z0-9_-]{1,64}$',
      '^\\d{4}-\\d{2}-\\d{2}$',
      '^[^=]+=[^=]+$',
      '^#[0-9A-Fa-f]{6}$',
      '^\\d+px$',
      'a\\w+b',
      '\\S',
    ],
    ...[
      '^(pid|process|tag)!?=.+$',
      '^[0-9a-fA-F]{3}([0-9a-fA-F]{3})?$',
      '^(?:[a-z]+\\.)+[a-z]{2,}$',
      '^(-[a-z0-9]+)*$',
    ],
    ...[
      '^((25[0-5]|2[0-4][0-9]|[0-9])\\.){3}(25[0-5]|2[0-4][0-9]|[0-9])$',
      '^(a|b|c)*$',
      '^\\/(?:[^/]+\\/)*$',
      '^[\\w-.]+$',
    ],
  ])('%s takes few', (source) => {
    expect(steps(source)).toBeLessThan(20_000);
  });

  test('grows with the text: a long one makes three loops in a row expensive', () => {
    expect(steps('^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$', 20)).toBeLessThan(100_000);
    expect(steps('^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$', 2000)).toBeGreaterThan(1_000_000);
  });

  test.each(['(a)\\1', '(?<x>a)\\k<x>', '(?i:a)', '('.repeat(60) + 'a' + ')'.repeat(60)])(
    '%s is not judged',
    (source) => {
      expect(parsePattern(source)).toBeUndefined();
    },
  );

  // A loop whose rounds are told apart by a delimiter is harmless; one whose delimiter occurs elsewhere in it is not.
  test.each([
    ['^(-[a-z]+)*$', true],
    ['^(-[a-z-]+)*$', false],
    ['^([a-z]+-)*$', true],
    ['^([^x]+-)*$', false],
    ['^(\\.\\w+)*$', true],
    ['^(\\w\\w+)*$', false],
    ['^(\\d[^\\d]+)*$', true],
    ['^(\\d\\D+)*$', true],
    ['^(\\d[^a]+)*$', false],
    ['^(\\D\\W+)*$', false],
    ['^(é[^é]+)*$', false], // other than ASCII is not told apart
    ['^(-[+--]+)*$', false],
    ['^(\\x2d[^\\u002d]+)*$', true],
  ])('%s: rounds told apart: %s', (source, apart) => {
    expect(steps(source, 100) < 100_000).toBe(apart);
  });
});
