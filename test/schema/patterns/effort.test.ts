import { fc } from '../../../test-support/fuzz.js';
import { describe, expect, test } from 'vitest';
import { worstCaseSteps } from '../../../src/schema/patterns/effort.js';
import { type Made, made, stepsToMatch } from './backtracking.js';

describe('The worst case of a pattern', () => {
  test.each([
    ...['^(a+)+$', '^(a*)*$', '^(.*?)*$', '(x+x+)+y', '^(a|a)*$', '^(a|ab|b)*$', '^(a|aa)+$', '(.*,)*$'],
    ...['^(([a-z])+.)+[A-Z]([a-z])+$', '^([^a]|b|[c-d])*$', '(?:a?){1000}', `${'a?'.repeat(30)}${'a'.repeat(30)}`],
    ...['(a{1,100}){1,100}', '^(?=(a+)+$)', '^(?:\\d+,?)*$', '([a-zA-Z]+)*', '^(?:[-a]+b?)*$', '(\\s*a\\s*)*$'],
    ...['^(\\w+\\s?)*$', '(a)\\1', '(?<x>a)\\k<x>', '(?<=(a+)+)b', '(?:(?:a{1000}){1000})', '('.repeat(60) + 'a)'],
    `${'(?:'.repeat(60)}a${')'.repeat(60)}`,
    '(?:a|b){1000000000}',
    // Only without the `u` flag are these loops within loops.
    ...['^(?:\\p{1,9})*\\-$', '^(?:\\u{2}|\\u{3})*\\-$', '^(?:a\\u{1,3})*$'],
    `^(?:a{${'0'.repeat(50)},})*b$`,
  ])('%s may take millions of steps', (source) => {
    expect(worstCaseSteps(source, 40)).toBeGreaterThan(1_000_000);
  });

  test.each([
    ...['^[a-z0-9_-]{1,64}$', '^\\d{4}-\\d{2}-\\d{2}$', '^[^=]+=[^=]+$', '^#[0-9A-Fa-f]{6}$', '^\\d+px$', 'a\\w+b'],
    ...['^(pid|process|tag)!?=.+$', '^[0-9a-fA-F]{3}([0-9a-fA-F]{3})?$', '^(?:ab)*$', '^[\\w-.]+$', '\\S', '^[\\]]+$'],
    '^((25[0-5]|2[0-4][0-9]|[0-9])\\.){3}(25[0-5]|2[0-4][0-9]|[0-9])$',
    '^[0-9]{4,}-(0[1-9]|1[012])-(0[1-9]|[12][0-9]|3[01])$',
  ])('%s takes few', (source) => {
    expect(worstCaseSteps(source, 40)).toBeLessThan(20_000);
  });

  // A step for the beginning of each sequence, one for each part in each way to get there, and that from each start.
  test.each([
    ['^a$', 4],
    ['a', 2 * 4],
    ['a|b', (2 + 2) * 4],
    ['^a|b', (3 + 2) * 4],
    ['[a|b]', 2 * 4],
    ['[\\]]a', 3 * 4],
    ['\\d', 2 * 4],
    ['a?', (1 + 2) * 4],
    ['a?b', (3 + 2) * 4],
    ['a*', (1 + 5) * 4],
    ['a*?b', (6 + 5) * 4],
    ['a+b', (1 + 6 + 6) * 4],
    ['a{2}', (1 + 3) * 4],
    ['a{2}b', (4 + 1) * 4],
    ['a{2,}b', (1 + 7 + 7) * 4],
    ['a{1,2}b', (1 + 3 + 3) * 4],
    ['(a)b', (1 + 2 + 1) * 4],
    ['(?:a)b', (1 + 3 + 1) * 4],
    ['(a|b)*c', (1 + (1 + 4 * (1 + 2 + 4 + 8)) + 31) * 4],
    ['(a|b){30}', (1 + 1 + 4 * (2 ** 30 - 1)) * 4],
    ['(a|b){31}', Infinity],
    ['a)b', Infinity],
    // What does not end is read to its end.
    ['[a', 2 * 4],
    ['(a', (2 + 1) * 4],
    ['a\\', 3 * 4],
    [`${'('.repeat(50)}a${')'.repeat(50)}`, (2 + 50) * 4],
    [`${'('.repeat(51)}a${')'.repeat(51)}`, Infinity],
    ['(a)'.repeat(60), (1 + 60 * 2) * 4],
  ])('%s takes %d in a text of three characters', (source, steps) => {
    expect(worstCaseSteps(source, 3)).toBe(steps);
  });

  test('grows with the text: a long one makes three loops in a row expensive', () => {
    expect(worstCaseSteps('^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$', 20)).toBeLessThan(100_000);
    expect(worstCaseSteps('^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$', 2000)).toBeGreaterThan(1_000_000);
  });

  // Two rounds that match nothing stand before those that go through the text.
  test('counts the mandatory rounds besides the optional ones', () => {
    expect(worstCaseSteps('^(?:a?){2,}?$', 4)).toBeGreaterThan(worstCaseSteps('^(?:a?){0,5}$', 4));
    expect(worstCaseSteps('^((?:(?:\\u{0,3}|\\u{0,3}|a)|[^])){2,}?', 3)).toBeGreaterThan(
      worstCaseSteps('^((?:(?:\\u{0,3}|\\u{0,3}|a)|[^])){5}', 3),
    );
  });

  test('is never less than what a backtracking matcher takes, with the u flag as without it', () => {
    fc.assert(
      fc.property(made, fc.string({ unit: fc.constantFrom('a', 'b', 'p', 'u', '-', '9'), maxLength: 14 }), check),
      { numRuns: 3000 },
    );
    function check({ source, part }: Made, text: string): boolean {
      const limit = worstCaseSteps(source, text.length);
      return limit === Infinity || stepsToMatch(part, text, limit) <= limit;
    }
  });
});
