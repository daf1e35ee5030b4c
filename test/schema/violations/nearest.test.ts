import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { WorkBudget } from '../../../src/json/index.js';
import { nearestFirst } from '../../../src/schema/violations/nearest.js';

const { similar } = JSON.parse(readFileSync(new URL('./similar.json', import.meta.url), 'utf8')) as {
  similar: [what: string, wanted: unknown, candidates: unknown[], values: unknown[], nearest: number][];
};

const within = (steps: number) => new WorkBudget({ steps, ms: 60_000 });

test.each(similar)('The most similar values are listed first: %s', (_, wanted, candidates, values, nearest) => {
  expect(nearestFirst(wanted, candidates, within(100_000))).toEqual({ values, nearest });
});

test('The most similar values are listed first as far as the budget allows', () => {
  const values = ['one', 'two', 'berlin'];
  expect(nearestFirst('berlin', values, within(2))).toEqual({ values, nearest: 0 });
  expect(nearestFirst('berlin', values, within(10))).toMatchObject({ nearest: 1 });
});
