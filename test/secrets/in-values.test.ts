import { describe, expect, test } from 'vitest';
import { hideSecretsIn, isSecret, namesTo, shownText } from '../../src/secrets/index.js';
import { looksLikeToken, looksRandom } from '../../src/secrets/in-text.js';

describe('A value', () => {
  test.each<[name: string, value: unknown, secret: boolean]>([
    ['query', 'sk-proj-0123456789abcdefghij', true],
    ['query', 'ghp_0123456789abcdefghijABCDEFGHIJ', true],
    ['note', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', true],
    ['header', 'Bearer abcdefgh', true],
    ['pin', '1234', true],
    ['pin', 1234, true],
    ['pin', true, false],
    ['credentials', null, false],
    ['tokens', '9f86d081884c7d659a2feaa0c55ad015', true],
    ['tokens', 'many', false],
    ['text', '-----BEGIN RSA PRIVATE KEY-----\nMII', true],
    ['key', '9f86d081884c7d659a2feaa0c55ad015', true],
    ['fileKeys', 'A1b2C3d4E5f6G7h8I9j0', true],
    ['key', 'PROJ-123', false],
    ['issueKey', 'PROJ-123', false],
    ['key', 'users/by-name/of-the-month', false],
    ['documentId', '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgVE2upms', false],
    ['id', '123e4567-e89b-12d3-a456-426614174000', false],
    ['key', 12345678901234567890, false],
    ['password', undefined, false],
    ['key', `a1${'b'.repeat(600)}!`, true],
    ['text', `Bearer ${'a'.repeat(600)}`, true],
  ])('%s: %j is one: %j', (name, value, secret) => {
    expect(isSecret([name], value)).toBe(secret);
  });

  test('of many megabytes is judged by its beginning', () => {
    expect(isSecret(['key'], `a1${'b'.repeat(6_000_000)}`)).toBe(true);
    expect(isSecret(['text'], 'b'.repeat(6_000_000))).toBe(false);
  });
});

test.each([
  'github_pat_0123456789abcdef',
  'sk_0123456789abcdef',
  'rk-0123456789abcdef',
  'ghp_0123456789abcdefghij',
  'glpat-0123456789abcdef',
  'xoxb-0123456789abcdef',
  'ya29.0123456789abcdef',
  'AKIA0123456789ABCDEF',
  `AIza${'a'.repeat(30)}`,
  `npm_${'a'.repeat(30)}`,
  `hf_${'a'.repeat(20)}`,
])('The shortest token of its service, %s, is a secret, alone and in a path', (token) => {
  expect(isSecret([], token)).toBe(true);
  expect(hideSecretsIn(token)).toBe('[hidden]');
  expect(hideSecretsIn(`/a/${token}`)).toBe('/a/[hidden]');
  expect(shownText({ [token]: token })).toBe('{[hidden]:[hidden]}');
});

describe('In a text', () => {
  test.each<[what: string, text: string, shown: string]>([
    ['a password in a URL', 'see https://me:hunter2@host/path', 'see https://me:[hidden]@host/path'],
    ['one in a connection string', 'postgres://u:p:a@ss@db:5432/x', 'postgres://u:[hidden]@db:5432/x'],
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
    ['what stands behind another name', 'note: password=hunter2', 'note: password=[hidden]'],
    ['an escaped quote in JSON', String.raw`{"password":"ab\"cd"}`, '{"password":[hidden]}'],
    ['one in JSON in JSON', String.raw`"{\"password\":\"ab\\\"cd\"}"`, String.raw`"{\"password\":[hidden]}"`],
    ['an object as Node.js writes it', `{ user: 'me', password: 'hunter' }`, `{ user: 'me', password: [hidden] }`],
    ['a line of YAML', 'password: hunter2', 'password: [hidden]'],
    ['another scheme of a header', 'Authorization: Token abc123def', 'Authorization: [hidden]'],
    ['a header with a key', 'X-Api-Key: abc123def', 'X-Api-Key: [hidden]'],
    ['a token behind an escape', String.raw`a\nghp_0123456789abcdefghij`, String.raw`a\n[hidden]`],
    ['a token in a query', 'x%3Dghp_0123456789abcdefghij', 'x%3D[hidden]'],
    ['the address of a webhook', 'https://hooks.slack.com/services/T0/B0/abcdefghijkl', 'https://[hidden]'],
  ])('%s is hidden', (_, text, shown) => {
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
  ])('%s stays', (text) => {
    expect(hideSecretsIn(text)).toBe(text);
  });

  /** Sizes at which effort that grows with the square takes minutes: the runner's limit tells on any machine. */
  test.each([
    ['a://b:', 500_000],
    ['a', 5_000_000],
    ['-----BEGIN PRIVATE KEY-----', 100_000],
    ['Bearer ', 500_000],
    ['password=', 500_000],
    ['"a"', 1_000_000],
    ['a.', 2_000_000],
    ['gh', 2_000_000],
    ['eyJaaaaaaaaaaaaaaa.', 200_000],
    ['authorization:', 200_000],
    ['password: "', 200_000],
    ['\\\\"', 500_000],
  ])('looking for them takes linear time: %s, %d times', (part, times) => {
    expect(hideSecretsIn(part.repeat(times))).toBeTypeOf('string');
  });
});

describe('A step of a path', () => {
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
  ])('%s is a token: %j', (text, isToken) => {
    expect(looksLikeToken(text)).toBe(isToken);
  });

  test.each<[text: string, shortest: number, isRandom: boolean]>([
    ['a1b2c3d4', 8, true],
    ['a1b2c3d4', 9, false],
    ['a1b2c3 4', 8, false],
    ['abcdefgh', 8, false],
    ['12345678', 8, false],
    [`a1${'b'.repeat(600)} `, 8, true],
  ])('%s of at least %i characters looks random: %j', (text, shortest, isRandom) => {
    expect(looksRandom(text, shortest)).toBe(isRandom);
  });
});

describe('The names on the way to a value', () => {
  test.each<[root: unknown, path: (string | number)[], names: string[]]>([
    [{ a: { b: 1 } }, ['a', 'b'], ['a', 'b']],
    [['x-api-key', 'abc'], [1], ['1']],
    [[{ name: 'password', value: 'abc' }], [0, 'value'], ['0', 'password']],
    [[{ field: 'password', values: ['abc'] }], [0, 'values', 0], ['0', 'password', '0']],
    [{}, ['absent', 'value'], ['absent', 'value']],
    [{ a: 'text' }, ['a', 'value'], ['a', 'value']],
    [Object.create({ inherited: { name: 'password' } }), ['inherited', 'value'], ['inherited', 'value']],
  ])('%j, %j: %j', (root, path, names) => {
    expect(namesTo(root, path)).toEqual(names);
  });
});

/** Made up, in the form that each service gives its tokens. */
const filler = 'aB3dE5fG7hJ9kL2mN4pQ6rS8tU0vW1xY3zA5bC7dE9fG1hJ3kL5mN7pQ9rS1tU3vW5xY7z';
const digits = '0123456789abcdef'.repeat(5);
test.each([
  ['SendGrid', `SG.${filler.slice(0, 22)}.${filler.slice(0, 43)}`],
  ['Telegram', `123456789:AA${filler.slice(0, 33)}`],
  ['Groq', `gsk_${filler.slice(0, 52)}`],
  ['xAI', `xai-${filler}`],
  ['Vault', `hvs.${filler}`],
  ['Shopify', `shpat_${digits.slice(0, 32)}`],
  ['DigitalOcean', `dop_v1_${digits.slice(0, 64)}`],
  ['Atlassian', `ATATT3xFfGF0${filler}=ABCD1234`],
  ['Notion', `ntn_${digits.slice(0, 11)}${filler.slice(0, 35)}`],
  ['Linear', `lin_api_${filler.slice(0, 40)}`],
  ['webhooks of Stripe', `whsec_${filler.slice(0, 32)}`],
  ['keys of Stripe', `sk_live_${filler.slice(0, 24)}`],
  ['OpenAI', `sk-proj-${filler}`],
  ['Anthropic', `sk-ant-api03-${filler}`],
  ['Google OAuth', `GOCSPX-${filler.slice(0, 28)}`],
  ['Google refresh', `1//0${filler.slice(0, 40)}`],
  ['Slack apps', `xapp-1-A0123456789-1234567890-${digits}`],
  ['Slack rotation', `xoxe.xoxb-1-${filler}`],
  ['GitLab deploy', `gldt-${filler.slice(0, 20)}`],
  ['PyPI', `pypi-AgEIcHlwaS5vcmc${filler}`],
  ['Docker', `dckr_pat_${filler.slice(0, 27)}`],
  ['Databricks', `dapi${digits.slice(0, 32)}`],
  ['Mailgun', `key-${digits.slice(0, 32)}`],
  ['Mailchimp', `${digits.slice(0, 32)}-us12`],
  ['Twilio', `SK${digits.slice(0, 32)}`],
  ['Supabase', `sbp_${digits.slice(0, 40)}`],
  ['PlanetScale', `pscale_tkn_${filler.slice(0, 43)}`],
  ['Postman', `PMAK-${digits.slice(0, 24)}-${digits.slice(0, 34)}`],
  ['Grafana', `glsa_${filler.slice(0, 32)}_12345678`],
  ['Sentry', `sntryu_${digits.slice(0, 64)}`],
  ['Doppler', `dp.pt.${filler.slice(0, 43)}`],
  ['1Password', `ops_eyJ${filler}`],
  ['Airtable', `pat${filler.slice(0, 14)}.${digits.slice(0, 64)}`],
  ['HubSpot', 'pat-na1-01234567-89ab-cdef-0123-456789abcdef'],
  ['Figma', `figd_${filler.slice(0, 40)}`],
  ['Discord', `MTA${filler.slice(0, 21)}.${filler.slice(0, 6)}.${filler.slice(0, 38)}`],
  ['Azure', `abc8Q~${filler.slice(0, 34)}`],
  ['Terraform', `${filler.slice(0, 14)}.atlasv1.${filler.slice(0, 60)}`],
  ['Replicate', `r8_${filler.slice(0, 37)}`],
  ['Resend', `re_${filler.slice(0, 8)}_${filler.slice(0, 24)}`],
])('A token of %s is a secret wherever it stands: %s', (_, token) => {
  expect(isSecret([], token)).toBe(true);
  for (const around of [
    ['', ''],
    ['in "', '", they'],
    ['?x=', '&y=1'],
    ['is ', '.'],
  ] as const)
    expect(hideSecretsIn(around.join(token)).replace('.', '')).toBe(around.join('[hidden]').replace('.', ''));
});
