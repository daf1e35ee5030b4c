import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { countsIn, filesOf, isTooMuch } from '../../test-support/language.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('Comments and pages hardly ever hide their subject (npm run language -- --show)', () => {
  const counts = countsIn(filesOf(root));
  expect(isTooMuch(counts), JSON.stringify(counts)).toBe(false);
});

test('Every pattern is counted in each kind of comment and in pages, and too many of one fail', () => {
  const source = `/** What it is.
 * Where it is. */
const a = 1; // Of it
const b = '// What is a string';
// Whoever reads
// that of where
const c = 2;`;
  const page = 'It is there where it is.\n\n```js\n// Where there is code.\n```\n';
  const { all, docs } = countsIn([
    ['src/a.ts', source],
    ['docs/a.md', page],
  ]);
  expect(all).toEqual({ openings: 3, where: 3, ofIt: 2 });
  expect(docs).toEqual({ openings: 0, where: 1, ofIt: 0 });
  const many = Array.from({ length: 30 }, () => '/* What it is. */').join('\n');
  expect([isTooMuch({ all }), isTooMuch(countsIn([['src/a.ts', many]]))]).toEqual([false, true]);
});
