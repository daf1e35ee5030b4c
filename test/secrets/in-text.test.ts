import { describe, expect, test } from 'vitest';
import { hideSecretsIn, looksLikeToken, looksRandom } from '../../src/secrets/in-text.js';
import { sampled } from '../../test-support/law-runs.js';

describe('Texts', () => {
  test.each<[what: string, text: string, shown: string]>([
    ['a password in a URL', 'see https://me:hunter2@host/path', 'see https://me:[hidden]@host/path'],
    ['a password in a connection string', 'postgres://u:p:a@ss@db:5432/x', 'postgres://u:[hidden]@db:5432/x'],
    ['a token as the user of a URL', 'https://a1b2c3d4e5f6a7b8c9d0@host/', 'https://[hidden]@host/'],
    ['a value of a query', 'GET /a?page=2&api_key=hunter2&x=1', 'GET /a?page=2&api_key=[hidden]&x=1'],
    ['a part of a connection string', 'Server=db;Password=hunter2;Port=1', 'Server=db;Password=[hidden];Port=1'],
    ['a variable', 'GITHUB_TOKEN=hunter2 node x.js', 'GITHUB_TOKEN=[hidden] node x.js'],
    ['JSON', '{"user":"me","password":"hunter2"}', '{"user":"me","password":[hidden]}'],
    ['JSON within JSON', String.raw`"{\"password\":\"hunter2\"}"`, String.raw`"{\"password\":[hidden]}"`],
    ['a bearer token', 'sent Bearer hunter2-and-more to it', 'sent Bearer [hidden] to it'],
    ['a header', 'Authorization: bearer abcdefghij', 'Authorization: bearer [hidden]'],
    ['basic credentials', 'Basic dXNlcjpwYXNzd29yZA== failed', 'Basic [hidden] failed'],
    ['a service token', 'token ghp_0123456789abcdefghijABCDEFGHIJ', 'token [hidden]'],
    ['a private key', '-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----\nafter', '[hidden]\nafter'],
    ['a private key that was cut off', 'key: -----BEGIN RSA PRIVATE KEY-----\nMIIEv', 'key: [hidden]'],
    ['the first value of a query', 'GET https://h/a?api_key=hunter2', 'GET https://h/a?api_key=[hidden]'],
    ['an option', 'node x.js --token=hunter2 --port=1', 'node x.js --token=[hidden] --port=1'],
    ['a password behind another name', 'note: password=hunter2', 'note: password=[hidden]'],
    ['an escaped quote in JSON', String.raw`{"password":"ab\"cd"}`, '{"password":[hidden]}'],
    [
      'an escaped quote in JSON in JSON',
      String.raw`"{\"password\":\"ab\\\"cd\"}"`,
      String.raw`"{\"password\":[hidden]}"`,
    ],
    ['an object as Node.js writes it', `{ user: 'me', password: 'hunter' }`, `{ user: 'me', password: [hidden] }`],
    ['a line of YAML', 'password: hunter2', 'password: [hidden]'],
    ['another scheme of a header', 'Authorization: Token abc123def', 'Authorization: [hidden]'],
    ['a header with a key', 'X-Api-Key: abc123def', 'X-Api-Key: [hidden]'],
    ['a token behind an escape', String.raw`a\nghp_0123456789abcdefghij`, String.raw`a\n[hidden]`],
    ['a token in a query', 'x%3Dghp_0123456789abcdefghij', 'x%3D[hidden]'],
    ['the address of a webhook', 'https://hooks.slack.com/services/T0/B0/abcdefghijkl', 'https://[hidden]'],
  ])('A text is shown without its secret: %s', (_, text, shown) => {
    expect(hideSecretsIn(text)).toBe(shown);
    expect(hideSecretsIn(shown)).toBe(shown);
  });

  test.each([
    'http://localhost:8080/mcp and user@example.com',
    'Invalid token: expected a number',
    'Unexpected token: <',
    'Bearer authentication is required, Basic authentication is not',
    'the bearer certificates',
    'tokenCount=12&maxTokens=100&password=',
    'auth=true',
    '10:30, a:b@c, 2026-11-22T10:00:00Z',
    'https://example.com/a?page=2#top',
    'password: must be string, and token: none',
    'password=***&secret=$SECRET&token=<your token>',
    'Unexpected token: "<"',
    'HF_FS_UNSUPPORTED_OPERATION of sk-learn-like-pipelines',
  ])('The text "%s" has no secret and is not changed', (text) => {
    expect(hideSecretsIn(text)).toBe(text);
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

test.each<[text: string, isToken: boolean]>([
  ['123e4567-e89b-12d3-a456-426614174000', true],
  ['abcdefab-abcd-abcd-abcd-abcdefabcdef', true],
  ['a1b2c3d4e5f6a7b8', true],
  ['a1b2c3d4e5f6a7b', false],
  ['v1.a1b2c3d4e5f6a7b8', true],
  ['my-project-2024-prod-of-the-whole-company', false],
  ['My-project-2024-prod-of-the-whole-company', true],
  ['MY-PROJECT-2024-PROD-OF-THE-WHOLE-COMPANY', false],
  ['My-project-2024-prod', false],
  ['abcdefghijklmnopqrst', false],
  [`${'a-'.repeat(300)}a1b2c3d4e5f6a7b8`, false],
])('The path segment %s counts as a token: %j', (text, isToken) => {
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
