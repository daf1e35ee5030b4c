import { expect, test } from 'vitest';
import { apiPage } from '../../test-support/api-page.js';
import { textOf } from './pages.js';

test('docs/api.md is what `npm run docs:api` makes of the docblocks', { timeout: 120_000 }, () => {
  expect(firstDifference(textOf('docs/api.md'), apiPage())).toBeUndefined();
});

/** One line, as the page as a whole is too long for a message. */
function firstDifference(page: string, made: string): string | undefined {
  if (page === made) return undefined;
  const [lines, wanted] = [page.split('\n'), made.split('\n')];
  const index = wanted.findIndex((line, at) => line !== lines[at]);
  return `line ${index + 1} is "${lines[index]}" and should be "${wanted[index]}": npm run docs:api`;
}
