import { expect, test } from 'vitest';
import { width, wrap } from '../../src/cli/terminal/text.js';

test.each([
  ['x', 80],
  ['é', 80],
  ['語', 40],
  ['e\u0301', 80],
])('A word of %j, 50,000 times, is wrapped at once, and nothing of it is lost', (unit, inLine) => {
  const word = unit.repeat(50_000);
  const lines = wrap(`a ${word}\n${word} b`, 80);
  expect(lines.join('')).toBe(`a${word}${word}b`);
  expect(lines.slice(0, 3)).toEqual(['a', unit.repeat(inLine), unit.repeat(inLine)]);
  expect(Math.max(...lines.map(width))).toBe(80);
});
