import { expect, test } from 'vitest';
import { WorkBudget } from '../../../src/json/index.js';
import { nearestFirst } from '../../../src/schema/violations/nearest.js';

const within = (steps: number) => new WorkBudget({ steps, ms: 60_000 });

test.each<[what: string, wanted: unknown, candidates: unknown[], values: unknown[], nearest: number]>([
  ['but for case and separators', 'user id', ['name', 'userId', 'user_id'], ['userId', 'user_id', 'name'], 2],
  ['then by a letter, by two', 'colour', ['calor', 'color', 'x', 'colour2'], ['color', 'colour2', 'calor', 'x'], 2],
  ['no more than two letters', 'abcdefgh', ['abcdexyz', 'abcdefxy', 'z'], ['abcdefxy', 'abcdexyz', 'z'], 1],
  ['not three more', 'abcdef', ['axbycdzef', 'z'], ['axbycdzef', 'z'], 0],
  ['a letter of three, not two', 'abc', ['axy', 'abx'], ['abx', 'axy'], 1],
  ['of two letters none', 'ab', ['ax'], ['ax'], 0],
  [
    'then what contains it, the shorter first',
    'user',
    ['user_name_2', 'user_name', 'x'],
    ['user_name', 'user_name_2', 'x'],
    1,
  ],
  ['then what it contains', 'the_account_id', ['x', 'account'], ['account', 'x'], 1],
  ['but nothing of two letters', 'my_id', ['x', 'id'], ['x', 'id'], 0],
  ['and something of three', 'my_url', ['x', 'url'], ['url', 'x'], 1],
  ['numbers by their distance', 29, [10, 20, '29', 30], [30, 20, 10, '29'], 1],
  ['numbers that are equally far', 15, [40, 10, 20], [10, 20, 40], 2],
  ['no text for a number', 29, ['29', null], ['29', null], 0],
  ['no number for a text', '29', [29, null], [29, null], 0],
])('The most similar values are listed first: %s', (_, wanted, candidates, values, nearest) => {
  expect(nearestFirst(wanted, candidates, within(100_000))).toEqual({ values, nearest });
});

test('The most similar values are listed first as far as the budget allows', () => {
  const values = ['one', 'two', 'berlin'];
  expect(nearestFirst('berlin', values, within(2))).toEqual({ values, nearest: 0 });
  expect(nearestFirst('berlin', values, within(10))).toMatchObject({ nearest: 1 });
});
