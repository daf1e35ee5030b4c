import { describe, expect, test } from 'vitest';
import { progressLine } from '../../../src/cli/commands/call.js';
import type { Terminal } from '../../../src/cli/terminal/terminal.js';
import { cut, width, wrap } from '../../../src/cli/terminal/text.js';

/** Contains no space, and is longer than any line. */
const words = {
  'wide signs': '日本語の説明はとても長いので折り返されます。'.repeat(3),
  'marks above and below': 'ที่นี่'.repeat(50),
  'pairs of surrogates': '𠀀𝒳'.repeat(60),
  families: '👨‍👩‍👧‍👦'.repeat(40),
};

describe.each(Object.entries(words))('%s', (_what, word) => {
  test.each([20, 33])('A text fills lines of %d columns', (columns) => {
    const lines = wrap(word, columns);
    expect(lines.join('')).toBe(word);
    const widths = lines.map(width);
    expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
    expect(Math.min(...widths.slice(0, -1))).toBeGreaterThanOrEqual(columns - 1);
    expect(lines.filter((line) => /^\p{M}|[\uD800-\uDBFF]$/u.test(line))).toEqual([]);
  });

  test.each([20, 33])('A text is cut to %d columns', (columns) => {
    const shown = cut(word, columns);
    expect(columns - width(shown)).toBeOneOf([0, 1]);
    expect(word.startsWith(shown.slice(0, -1))).toBe(true);
  });
});

const plain = (text: string) => text;
/** A terminal without colours. The cast: lines read nothing else of a terminal. */
const terminal = (columns: number) => ({ columns, paint: { cyan: plain, dim: plain } }) as unknown as Terminal;

test.each([
  ['a quarter', { progress: 1, total: 4, message: 'reading' }, `${'█'.repeat(6)}${'░'.repeat(18)}  25 % reading`],
  ['a fifth', { progress: 1, total: 5 }, `${'█'.repeat(5)}${'░'.repeat(19)}  20 %`],
  ['less than nothing', { progress: -1, total: 4 }, `${'░'.repeat(24)}   0 %`],
  ['many pages', { progress: 3, message: 'page '.repeat(20) }, `3 ${'page '.repeat(15)}p…`],
  ['more than all', { progress: 9, total: 4 }, `${'█'.repeat(24)} 100 %`],
  ['an unknown total', { progress: 3, message: 'pages' }, '3 pages'],
  ['a total of nothing', { progress: 3, total: 0 }, '3'],
])('The progress of %s is drawn', (_, report, line) => {
  expect(progressLine(report, terminal(80))).toBe(line);
});

test('The progress of a call stays on one line of the terminal, whatever the server says', () => {
  const line = progressLine({ progress: 1, total: 2, message: `a\nb ${'long '.repeat(40)}` }, terminal(60));
  expect(line).toMatch(/^█{12}░{12} {2}50 % a b long long .*…$/);
  expect(line.length).toBe(59);
});
