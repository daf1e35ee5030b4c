import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { promises } from '../test-support/mutants/wiring/table.mjs';

const at = (file: string) => fileURLToPath(new URL(`../${file}`, import.meta.url));
const textOf = (file: string) => (existsSync(at(file)) ? readFileSync(at(file), 'utf8') : '');

// `npm run mutants -- wiring` makes these edits.
test('Each promise that can be broken has its page, its line of code once, and the title of its test', () => {
  const wrong = promises.flatMap(({ promise, page, file, from, to, test: [test, title] }) => [
    ...(existsSync(at(`docs/${page}`)) ? [] : [`${promise}: there is no docs/${page}`]),
    ...(textOf(file).split(from).length === 2 && from !== to
      ? []
      : [`${promise}: ${file} does not have once: ${from}`]),
    ...(textOf(test).includes(title) ? [] : [`${promise}: ${test} has no test "${title}"`]),
  ]);
  expect(wrong).toEqual([]);
});

test('No edit is listed twice with the same test', () => {
  const rows = promises.map(({ file, from, to, test: [test, title] }) => [file, from, to, test, title].join('\n'));
  expect(new Set(rows).size).toBe(rows.length);
});
