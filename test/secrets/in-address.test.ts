import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ServerAddress } from '../../src/mcp/index.js';
import { addressSecrets, shownArguments } from '../../src/secrets/index.js';

const { secrets, shown } = JSON.parse(readFileSync(new URL('./addresses.json', import.meta.url), 'utf8')) as {
  secrets: [address: ServerAddress, secrets: string[]][];
  shown: [args: string[], shown: string[]][];
};

/** The secrets that are found; empty ones are left out. */
const secretsOf = (address: ServerAddress) => [...new Set(addressSecrets(address))].filter((value) => value !== '');

test.each(secrets)('The secrets of the address %j are %j', (address, expected) => {
  expect(secretsOf(address).sort()).toEqual(expected.toSorted());
});

test.each(shown)('The arguments %j are shown as %j', (args, expected) => {
  expect(shownArguments(args)).toEqual(expected);
});

test('Arguments that are not secrets stay visible beside any number of secrets', () => {
  const args = [`evil ${'token=abcdef '.repeat(3000)}`];
  expect(shownArguments(args)).toEqual([`evil ${'token=[hidden] '.repeat(3000)}`]);
});
