import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isSecretName, mayNameSecret } from '../../src/secrets/index.js';

const { secret, keys, harmless } = JSON.parse(readFileSync(new URL('./names.json', import.meta.url), 'utf8')) as {
  [kind: string]: string[];
};

test.each([
  ...secret!.map((name) => [name, true, true] as const),
  ...keys!.map((name) => [name, false, true] as const),
  ...harmless!.map((name) => [name, false, false] as const),
])('The name %s is that of a secret: %j, or may be: %j', (name, isSecret, mayBe) => {
  expect([isSecretName(name), mayNameSecret(name)]).toEqual([isSecret, mayBe]);
});

test('A long name of a secret is recognised by its end', () => {
  expect(isSecretName(`${'a_'.repeat(200)}password`)).toBe(true);
  expect(isSecretName(`${'token_'.repeat(100_000)}count`)).toBe(false);
});
