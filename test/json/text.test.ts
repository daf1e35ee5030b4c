import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as json from '../../src/json/index.js';

const { invisible, seen } = JSON.parse(readFileSync(new URL('./characters.json', import.meta.url), 'utf8')) as Record<
  'invisible' | 'seen',
  [text: string, what: string][]
>;

describe('Texts', () => {
  test.each<[texts: (string | undefined)[], result: string]>([
    [['a', 'b'], 'a. b'],
    [['a.', 'b!', 'c?', 'd…', 'e'], 'a. b! c? d… e'],
    [['a', undefined, '', 'b'], 'a. b'],
    [['a', undefined], 'a'],
    [[], ''],
  ])('The texts %j as sentences are %j', (texts, result) => {
    expect(json.sentences(...texts)).toBe(result);
  });

  test.each<[text: string, length: number, result: string]>([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc'],
    ['ab😀', 3, 'ab'],
    ['ab😀', 4, 'ab😀'],
    ['a😀b', 3, 'a😀'],
    ['ab\ud800', 3, 'ab\ud800'],
    ['ab\ud7ffd', 3, 'ab\ud7ff'],
    ['ab\ue000d', 3, 'ab\ue000'],
    ['ab\udbffd', 3, 'ab'],
  ])('The text %j cut to %i is %j', (text, length, result) => {
    expect(json.cut(text, length)).toBe(result);
  });

  test('A text is quoted or shortened up to a length', () => {
    expect(json.shortened('abc', 3)).toBe('abc');
    expect(json.shortened('abcd', 3)).toBe('ab…');
    expect(json.quote('a"b', 3)).toBe('"a\\"b"');
    expect(json.quote('a"bc', 3)).toBe('"a\\"b..."');
    expect(json.quote('x'.repeat(81))).toBe(`"${'x'.repeat(80)}..."`);
  });

  test('A text on one line shows line breaks and invisible characters as escapes', () => {
    expect(json.visibleLine('/x\n- \t\r\u2028\u2029\u202e\u0007é')).toBe(
      '/x\\n- \\t\\u000d\\u2028\\u2029\\u202e\\u0007é',
    );
    expect(json.quote('\u202ea\n\u2028')).toBe('"\\u202ea\\n\\u2028"');
  });

  test.each(invisible)('The text %j has invisible characters: %s', (text) => {
    expect(json.invisibleAt(text)).toBeGreaterThanOrEqual(0);
    expect(json.visible(text)).toContain('\\u');
  });

  test.each(seen)('The text %j has no invisible characters: %s', (text) => {
    expect(json.invisibleAt(text)).toBe(-1);
    expect(json.visible(text)).toBe(text);
  });

  test('A long text of invisible characters alone is searched in one go', () => {
    expect(json.visible('🏴\u{e0061}'.repeat(100_000)).length).toBe(1_400_000);
  });

  test('A count is a number with its noun in the singular or plural', () => {
    const counts = [
      [0, 'item'],
      [1, 'property'],
      [2, 'property'],
      [2, 'item'],
    ] as const;
    const texts = counts.map(([count, what]) => json.counted(count, what));
    expect(texts).toEqual(['0 items', '1 property', '2 properties', '2 items']);
  });
});

test.each<[left: string, right: string, distance: number]>([
  ['', '', 0],
  ['', 'ab', 2],
  ['limit', 'limits', 1],
  ['limit', 'lmit', 1],
  ['limit', 'limat', 1],
  ['ab', 'ba', 2],
  ['kitten', 'sitting', Infinity],
  ['a', 'abcd', Infinity],
])('The distance between %s and %s is %d', (left, right, distance) => {
  expect(json.editDistance(left, right)).toBe(distance);
  expect(json.editDistance(right, left)).toBe(distance);
});

test('The distance between texts is worked out up to a limit', () => {
  expect(json.editDistance('kitten', 'sitting', 3)).toBe(3);
  expect(json.editDistance('abcdef', 'ghijkl', 5)).toBe(Infinity);
  expect(json.editDistance('abcdef', 'ghijkl', 6)).toBe(6);
});

test('Every JSON value has a JSON text, and no other value has one', () => {
  const holdsItself: Record<string, unknown> = {};
  holdsItself['a'] = holdsItself;
  const texts = [{ a: 1 }, undefined, holdsItself].map((value) => json.jsonText(value));
  expect(texts).toEqual(['{"a":1}', 'undefined', '[not JSON]']);
  expect(json.parseJson('{"a":1}')).toEqual({ a: 1 });
  expect(json.parseJson('{')).toBeUndefined();
});

test.each<[value: unknown, length: number, text: string]>([
  ['abc', 5, '"abc"'],
  ['abcd', 5, '"abc…'],
  ['a'.repeat(100), 5, '"aaa…'],
  [[1, 2], 5, '[1,2]'],
  [[1, 23], 5, '[1,2…'],
  [Array(100).fill(1), 5, '[…]'],
  [{ a: 'x'.repeat(100) }, 5, '{…}'],
  [['x'.repeat(37)], 5, '["xx…'],
  [['x'.repeat(38)], 5, '[…]'],
])('The JSON text of %j, cut to %i characters, is %s', (value, length, text) => {
  expect(json.briefJson(value, length)).toBe(text);
});
