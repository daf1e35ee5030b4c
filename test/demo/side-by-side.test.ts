import { describe, expect, test } from 'vitest';
import { foldJson } from '../../demo/terminal/json.js';
import { columns, comparison } from '../../demo/terminal/side-by-side.js';

describe('two texts beside each other', () => {
  const rows = (lines: string[]) => lines.map((line) => line.split(/ ([│<>]) ?/).map((cell) => cell.trim()));

  test('equal lines share a row, others have one of their own', () => {
    expect(rows(comparison(['a', 'b', 'c'], ['a', 'x', 'c']))).toEqual([
      ['a', '│', 'a'],
      ['b', '<', ''],
      ['', '>', 'x'],
      ['c', '│', 'c'],
    ]);
  });

  test('indentation and commas do not count', () => {
    expect(rows(comparison(['  "a": 1,'], ['    "a": 1']))).toEqual([['"a": 1,', '│', '"a": 1']]);
  });

  test('long lines are cut in a comparison and wrapped in columns', () => {
    const long = 'word '.repeat(30).trim();
    expect(comparison([long], [])[0]).toMatch(/…\s+<$/);
    expect(columns(long, '').length).toBeGreaterThan(1);
    for (const line of [...comparison([long], [long]), ...columns(long, long)])
      expect(Array.from(line).length).toBeLessThanOrEqual(100);
  });
});

describe('JSON in lines of a limited width', () => {
  test('what fits stays on one line, the rest is unfolded', () => {
    expect(foldJson({ a: 1 }, 40)).toEqual(['{ "a": 1 }']);
    expect(foldJson({ a: [1, 2], b: { c: 'a rather long text' } }, 30)).toEqual([
      '{',
      '  "a": [1, 2],',
      '  "b": {',
      '    "c": "a rather long text"',
      '  }',
      '}',
    ]);
  });

  test('it stays the same JSON', () => {
    const value = { list: [], object: {}, nested: [{ a: [null, true, 'x"y'] }] };
    expect(JSON.parse(foldJson(value, 10).join('\n'))).toEqual(value);
  });
});
