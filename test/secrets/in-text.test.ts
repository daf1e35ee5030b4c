import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hideSecretsIn, hideTokensIn, looksLikeToken, looksRandom } from '../../src/secrets/in-text.js';
import { sampled } from '../../test-support/law-runs.js';

const { shown, harmless, segments, tokens } = JSON.parse(
  readFileSync(new URL('./texts.json', import.meta.url), 'utf8'),
) as {
  shown: [what: string, text: string, shown: string][];
  harmless: string[];
  segments: [segment: string, isToken: boolean][];
  tokens: [text: string, shown: string][];
};

describe('Texts', () => {
  test.each(shown)('A text is shown without its secret: %s', (_, text, shown) => {
    expect(hideSecretsIn(text)).toBe(shown);
    expect(hideSecretsIn(shown)).toBe(shown);
  });

  test.each(harmless)('The text "%s" has no secret and is not changed', (text) => {
    expect(hideSecretsIn(text)).toBe(text);
  });

  test.each(tokens)('Of the text "%s", what is a secret by its shape alone is hidden: %s', (text, shown) => {
    expect(hideTokensIn(text)).toBe(shown);
  });

  /** At these sizes, work that grows with the square takes minutes, so the runner's limit catches it on any machine. */
  const repeated: [part: string, times: number][] = [
    ['a://b:', 300_000],
    ['a', 800_000],
    ['-----BEGIN PRIVATE KEY-----', 100_000],
    ['Bearer ', 300_000],
    ['password=', 250_000],
    ['"a"', 450_000],
    ['a.', 600_000],
    ['gh', 600_000],
    ['eyJaaaaaaaaaaaaaaa.', 200_000],
    ['authorization:', 200_000],
    ['password: "', 200_000],
    ['\\\\"', 300_000],
  ];
  test.each(sampled(repeated))('Looking for secrets takes linear time: %s, %d times', (part, times) => {
    expect(hideSecretsIn(part.repeat(times))).toBeTypeOf('string');
  });
});

segments.push([`${'a-'.repeat(300)}a1b2c3d4e5f6a7b8`, false]);

test.each(segments)('The path segment %s counts as a token: %j', (text, isToken) => {
  expect(looksLikeToken(text)).toBe(isToken);
});

test.each<[text: string, shortest: number, isRandom: boolean]>([
  ['a1b2c3d4', 8, true],
  ['a1b2c3d4', 9, false],
  ['a1b2c3 4', 8, false],
  ['abcdefgh', 8, false],
  ['12345678', 8, false],
  [`a1${'b'.repeat(600)} `, 8, true],
])('The text %s with at least %i characters looks random: %j', (text, shortest, isRandom) => {
  expect(looksRandom(text, shortest)).toBe(isRandom);
});
