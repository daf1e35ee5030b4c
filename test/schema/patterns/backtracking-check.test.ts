import { fc } from '../../../test-support/fuzz.js';
import { lawRuns } from '../../../test-support/law-runs.js';
import { expect, test } from 'vitest';
import { mayBacktrack, quickSteps } from '../../../src/schema/patterns/backtracking-check.js';
import { made, stepsToMatch } from './backtracking.js';

test.each([
  ...['^(a+)+$', '^(a*)*$', '^(.*?)*$', '(x+x+)+y', '^(a|a)*$', '^(a|ab|b)*$', '^(a|aa)+$', '(.*,)*$'],
  ...['^(([a-z])+.)+[A-Z]([a-z])+$', '^([^a]|b|[c-d])*$', '(?:a?){1000}', `${'a?'.repeat(30)}${'a'.repeat(30)}`],
  ...['(a{1,100}){1,100}', '^(?=(a+)+$)', '^(?:\\d+,?)*$', '([a-zA-Z]+)*', '^(?:[-a]+b?)*$', '(\\s*a\\s*)*$'],
  ...['^(\\w+\\s?)*$', '(a)\\1', '(?<x>a)\\k<x>', '(?<=(a+)+)b', '(?:(?:a{1000}){1000})', '('.repeat(60) + 'a)'],
  ...['(?:a|b){1000000000}', '(?<=ca{200}\\w*)b', '^(?:\\u{61}\\u{61}?)*$'],
  // Only without the `u` flag do these nest loops.
  ...['^(?:\\p{1,9})*\\-$', '^(?:\\u{2}|\\u{3})*\\-$', '^(?:a\\u{1,3})*$'],
  `^(?:a{${'0'.repeat(50)},})*b$`,
])('The pattern %s may take long', (source) => {
  expect(mayBacktrack(source, 40)).toBe(true);
});

test.each([
  ...['^[a-z0-9_-]{1,64}$', '^\\d{4}-\\d{2}-\\d{2}$', '^[^=]+=[^=]+$', '^#[0-9A-Fa-f]{6}$', '^\\d+px$', 'a\\w+b'],
  ...['^(pid|process|tag)!?=.+$', '^[0-9a-fA-F]{3}([0-9a-fA-F]{3})?$', '^(?:ab)*$', '^[\\w-.]+$', '\\S', '^[\\]]+$'],
  '^((25[0-5]|2[0-4][0-9]|[0-9])\\.){3}(25[0-5]|2[0-4][0-9]|[0-9])$',
  '^[0-9]{4,}-(0[1-9]|1[012])-(0[1-9]|[12][0-9]|3[01])$',
  // The dates of published servers, in Zod's pattern.
  '^[0-9]{4,}-(0[1-9]|1[012])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,12})?(Z|[+-][0-9][0-9]:[0-9][0-9])$',
  '^(?:(?:\\d\\d[2468][048]|\\d\\d0[48])-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:Z|([+-](?:[01]\\d|2[0-3]):[0-5]\\d)))$',
])('The pattern %s is plain', (source) => {
  expect(mayBacktrack(source, 40)).toBe(false);
});

test('The cost of a pattern grows with the text: a long text makes three loops in a row expensive', () => {
  expect(mayBacktrack('^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$', 20)).toBe(false);
  expect(mayBacktrack('^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$', 2000)).toBe(true);
});

test('The backtracking check never calls a slow pattern plain, with or without the u flag', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'p', 'u', '-', '9'), maxLength: 14 });
  const law = fc.property(
    made,
    text,
    ({ source, part }, tried) =>
      mayBacktrack(source, tried.length) || stepsToMatch(part, tried, quickSteps) <= quickSteps,
  );
  fc.assert(law, { numRuns: lawRuns(3000) });
});
