import { describe, expect, test } from 'vitest';
import { argumentSecrets } from '../../src/secrets/index.js';

const token = `ghp_${'a'.repeat(30)}`;

function secretsOf(args: Record<string, unknown>, hidden?: Record<string, unknown>): unknown[] {
  return [...argumentSecrets(args, hidden)];
}

/** A value within so many objects. */
function within(levels: number, value: unknown): Record<string, unknown> {
  const outermost: Record<string, unknown> = {};
  let holder = outermost;
  for (let level = 1; level < levels; level++) holder = holder['a'] = {};
  holder['a'] = value;
  return outermost;
}

describe('Of the arguments of a call', () => {
  test.each<[args: Record<string, unknown>, secrets: string[]]>([
    [{ user: 'me', limit: 5, note: null, all: true }, []],
    [{ password: 'hunter2', pin: 1234 }, ['hunter2', '1234']],
    [{ password: true, secret: null, token: undefined }, []],
    [{ login: { user: 'me', password: 'hunter2' } }, ['hunter2']],
    [{ passwords: ['a', { old: 'b' }] }, ['a', 'old', 'b']],
    [{ headers: ['x-api-key', 'abc'] }, []],
    [{ fields: [{ name: 'password', value: 'abc' }] }, ['abc']],
    [{ query: token }, [token]],
    [{ [token]: 'abc' }, [token]],
  ])('%j, secret is %j', (args, secrets) => {
    expect(secretsOf(args)).toEqual(secrets);
  });

  test('all of those are that are to be hidden, whatever they are, and come first', () => {
    const hidden = { tenant: 'acme', ids: [7, { name: 'x' }], on: true, none: null };
    expect(secretsOf({ password: 'hunter2' }, hidden)).toEqual(['acme', '7', 'x', 'hunter2']);
  });

  test('50,000 characters are shown at most, and never a part of a value', () => {
    const passwords = { passwords: ['a'.repeat(49_990), 'b'.repeat(11), 'c'.repeat(10), 'd'] };
    expect(secretsOf(passwords)).toEqual(['a'.repeat(49_990), 'c'.repeat(10)]);
    expect(secretsOf({ password: 'hunter2', pin: 1234 }, { id: 'a'.repeat(49_995) }).slice(1)).toEqual(['1234']);
  });

  test('those within twenty levels are shown', () => {
    const told = [20, 21].map((levels) => secretsOf(within(levels, token)));
    expect(told).toEqual([[token], []]);
  });
});
