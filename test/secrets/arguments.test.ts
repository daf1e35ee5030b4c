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
    [
      {
        headers: [
          ['x-api-key', 'abc'],
          ['accept', 'def'],
        ],
      },
      ['abc'],
    ],
    [{ headers: ['x-api-key', 'abc'] }, []],
    [{ fields: [{ name: 'password', value: 'abc' }] }, ['abc']],
    [{ query: token }, [token]],
    [{ [token]: 'abc' }, [token]],
  ])('%j, secret is %j', (args, secrets) => {
    expect(secretsOf(args)).toEqual(secrets);
  });

  test('all of those are that are to be hidden, whatever they are, and are told first', () => {
    const hidden = { tenant: 'acme', ids: [7, { name: 'x' }], on: true, none: null };
    expect(secretsOf({ password: 'hunter2' }, hidden)).toEqual(['acme', '7', 'x', 'hunter2']);
  });

  test('two hundred are told at most', () => {
    const passwords = (count: number) => ({ passwords: Array.from({ length: count }, (_, i) => `p${i}`) });
    expect([199, 200, 201].map((count) => secretsOf(passwords(count)).length)).toEqual([199, 200, 200]);
    const hidden = { ids: Array.from({ length: 199 }, (_, i) => i) };
    expect(secretsOf({ password: 'hunter2', pin: 1234 }, hidden).slice(199)).toEqual(['hunter2']);
  });

  test('so much of each is told as an answer is searched for', () => {
    const [value, name] = secretsOf({ password: 'x'.repeat(2001), [token + 'a'.repeat(2000)]: 1 });
    expect([value, name]).toEqual(['x'.repeat(2000), token + 'a'.repeat(2000 - token.length)]);
  });

  test('those within twenty levels are told', () => {
    const told = [20, 21].map((levels) => secretsOf(within(levels, token)));
    expect(told).toEqual([[token], []]);
  });
});
