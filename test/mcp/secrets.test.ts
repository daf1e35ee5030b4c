import { describe, expect, test } from 'vitest';
import type { ServerAddress } from '../../src/mcp/index.js';
import { secretMask } from '../../src/mcp/secrets.js';

describe('the mask over what must not be shown', () => {
  test.each<[string, ServerAddress, string, string]>([
    ['a header', { url: 'http://h/', headers: { 'X-Key': 'abcdef123' } }, 'key abcdef123 is wrong', 'key *** is wrong'],
    [
      'a token without its scheme',
      { url: 'http://h/', headers: { Authorization: 'Bearer abcdef123' } },
      'no such token: abcdef123',
      'no such token: ***',
    ],
    ['a value of the query', { url: 'http://h/?key=abc%2Fdef' }, 'abc/def or abc%2Fdef', '*** or ***'],
    ['a password of the URL', { url: 'http://user:p%40ssword@h/' }, 'p@ssword, p%40ssword', '***, ***'],
    ['the pair that is sent for it', { url: 'http://user:password@h/' }, 'Basic dXNlcjpwYXNzd29yZA==', 'Basic ***'],
    ['an environment variable', { transport: 'stdio', command: 'x', env: { A: 'abcdef123' } }, 'A=abcdef123', 'A=***'],
    [
      'an argument after an option',
      { transport: 'stdio', command: 'x', args: ['--api-key', 'abcdef123'] },
      'abcdef123!',
      '***!',
    ],
    [
      'an argument within an option',
      { transport: 'stdio', command: 'x', args: ['--token=abcdef123'] },
      'abcdef123!',
      '***!',
    ],
    [
      'the longer of two secrets',
      { transport: 'stdio', command: 'x', env: { A: 'abcdef', B: 'abcdefghi' } },
      'abcdefghi',
      '***',
    ],
  ])('covers %s', (_, address, text, shown) => {
    expect(secretMask(address)(text)).toBe(shown);
  });

  test.each<[string, ServerAddress, string]>([
    [
      'an ordinary argument',
      { transport: 'stdio', command: 'x', args: ['--folder', '/data/shared'] },
      'cannot read /data/shared',
    ],
    ['a value that is rather a word', { transport: 'stdio', command: 'x', env: { LOG: 'debug' } }, 'debug output'],
  ])('leaves %s readable', (_, address, text) => {
    expect(secretMask(address)(text)).toBe(text);
  });

  test('covers what it learns later', () => {
    const mask = secretMask({ url: 'http://h/' });
    mask.add('renewed-token');
    expect(mask('renewed-token expired')).toBe('*** expired');
  });
});
