import { describe, expect, test } from 'vitest';
import * as json from '../../src/json/index.js';

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

  test.each([
    ['a\u0000b', 'a control character'],
    ['a\u200bb', 'a space without width'],
    ['a\u00adb', 'a soft hyphen'],
    ['a\u061cb', 'a mark of direction'],
    ['a\u2066b', 'an isolate'],
    ['a\u034fb', 'a joiner of graphemes'],
    ['a\u180bb', "a variation selector of Mongolian's behind Latin"],
    ['a\u2800b', 'a blank of Braille'],
    ['\u2800', 'a blank alone'],
    ['a\u2065b', 'an ignorable character that is not assigned'],
    ['a\u{1d159}b', 'an empty note'],
    ['a\u3164b', 'a filler of Hangul'],
    ['a\u200db', 'a joiner between letters of Latin'],
    ['☺\u{e0100}b', 'a selector of ideographs behind an emoji'],
    ['a\ufe0fb', 'a selector of emoji behind a letter'],
    ['a\u{e0069}\u{e0067}b', 'tags that belong to nothing'],
    ['🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}b', 'tags of a flag that does not end'],
    [`🏴${'\u{e0061}'.repeat(7)}\u{e007f}`, 'tags of a flag that say too much'],
    ['🏴\u{e007f}', 'tags of a flag that say nothing'],
  ])('The text %j has invisible characters: %s', (text) => {
    expect(json.invisibleAt(text)).toBeGreaterThanOrEqual(0);
    expect(json.visible(text)).toContain('\\u');
  });

  test.each([
    ['a\tb\nc\r\nd', 'tabs and line breaks'],
    ['🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} won', "England's flag"],
    ['🏴\u{e0075}\u{e0073}\u{e0063}\u{e0061}\u{e007f}', "California's"],
    ['❤\ufe0f 1\ufe0f\u20e3', 'emoji'],
    ['👩\u200d🚒, 🏳\ufe0f\u200d🌈', 'joined emoji'],
    ['می\u200cخواهم', 'Persian'],
    ['क्\u200dष', 'Hindi'],
    ['葛\u{e0100}城', 'a variant of an ideograph'],
    ['ᠮᠣᠩ\u180bᠭᠣᠯ\u180eᠠ', 'Mongolian'],
    ['⠓⠑⠇⠇⠕⠀⠺⠕⠗⠇⠙', 'Braille'],
    ['\u0600١٢', 'a sign before a number'],
    ['a\u00a0b\u3000c', 'spaces that are seen'],
    ['\ue000\ufffd', 'what fonts show as a box'],
  ])('The text %j has no invisible characters: %s', (text) => {
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
