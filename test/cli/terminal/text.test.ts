import { describe, expect, test } from 'vitest';
import { cut, width, wrap } from '../../../src/cli/terminal/text.js';

/** Without a space: a word that no line holds. */
const words = {
  'wide signs': '日本語の説明はとても長いので折り返されます。'.repeat(3),
  'marks above and below': 'ที่นี่'.repeat(50),
  'pairs of surrogates': '𠀀𝒳'.repeat(60),
  families: '👨‍👩‍👧‍👦'.repeat(40),
};

describe.each(Object.entries(words))('%s', (_what, word) => {
  test.each([20, 33])('fill lines of %d columns', (columns) => {
    const lines = wrap(word, columns);
    expect(lines.join('')).toBe(word);
    const widths = lines.map(width);
    expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
    expect(Math.min(...widths.slice(0, -1))).toBeGreaterThanOrEqual(columns - 1);
    expect(lines.filter((line) => /^\p{M}|[\uD800-\uDBFF]$/u.test(line))).toEqual([]);
  });

  test.each([20, 33])('are cut to %d columns', (columns) => {
    const shown = cut(word, columns);
    expect(columns - width(shown)).toBeOneOf([0, 1]);
    expect(word.startsWith(shown.slice(0, -1))).toBe(true);
  });
});
