import { describe, expect, test } from 'vitest';
import { describeViolations, isSecret, isSecretName } from '../../../src/schema/index.js';
import { violations } from '../decide.js';

describe('Secrets', () => {
  test.each([
    ...['password', 'Password', 'user_password', 'dbPassword', 'passwd', 'pwd', 'passphrase', 'secret', 'clientSecret'],
    ...['token', 'access_token', 'accessToken', 'X-Auth-Token', 'api_key', 'apiKey', 'APIKey', 'APIKEY', 'apikey'],
    ...[
      'private-key',
      'secretKey',
      'AccessKey',
      'signing_key',
      'x-functions-app-key',
      'apiKeys',
      'Ocp-Apim-Subscription-Key',
      'credentials',
      'Authorization',
      'auth',
      'cookie',
      'jwt',
      'secret1',
      'token2',
    ],
  ])('%s is the name of one', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  test.each([
    ...[
      'query',
      'keyword',
      'keywords',
      'maxTokens',
      'max_tokens',
      'tokenizer',
      'author',
      'monkey',
      'passenger',
      'secretary',
      'compass',
      '',
    ],
    ...[
      'key',
      'keys',
      'issueKey',
      'projectKey',
      'project_key',
      'primaryKey',
      'publicKey',
      'ssh-public-key',
      'cacheKey',
      'keyCount',
      'toolKeys',
    ],
    ...['pageToken', 'next_page_token', 'continuation-token', 'syncToken'],
  ])('%s is not', (name) => {
    expect(isSecretName(name)).toBe(false);
  });

  test.each<[name: string, value: unknown, secret: boolean]>([
    ['query', 'sk-proj-0123456789abcdefghij', true],
    ['query', 'ghp_0123456789abcdefghijABCDEFGHIJ', true],
    ['note', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', true],
    ['header', 'Bearer abcdefgh', true],
    ['text', '-----BEGIN RSA PRIVATE KEY-----\nMII', true],
    ['key', '9f86d081884c7d659a2feaa0c55ad015', true],
    ['fileKeys', 'A1b2C3d4E5f6G7h8I9j0', true],
    ['key', 'PROJ-123', false],
    ['issueKey', 'PROJ-123', false],
    ['key', 'users/by-name/of-the-month', false],
    ['documentId', '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgVE2upms', false],
    ['id', '123e4567-e89b-12d3-a456-426614174000', false],
    ['key', 12345678901234567890, false],
  ])('%s: %j is one: %j', (name, value, secret) => {
    expect(isSecret([name], value)).toBe(secret);
  });

  const hush = 'hunter2';

  test.each<[what: string, schema: object, instance: unknown]>([
    ['a member', { properties: { password: { type: 'integer' } } }, { password: hush }],
    [
      'within a member',
      { properties: { credentials: { properties: { a: { type: 'integer' } } } } },
      { credentials: { a: hush } },
    ],
    ['an item of a member', { properties: { token: { items: { type: 'integer' } } } }, { token: [hush] }],
    ['part of a refused value', { type: 'string' }, { deep: { apiKey: hush } }],
    ['in a branch', { properties: { secret: { anyOf: [{ type: 'integer' }, { maxLength: 1 }] } } }, { secret: hush }],
    ['told by its shape', { type: 'integer' }, `Bearer ${hush}-and-more`],
    ['with the same value elsewhere', { additionalProperties: { type: 'integer' } }, { token: hush, password: hush }],
  ])('%s: neither text nor message shows it', (_, schema, instance) => {
    const found = violations(schema, instance);
    expect(found).not.toEqual([]);
    const shown = JSON.stringify(found, (key, value: unknown) => (key === 'value' ? undefined : value));
    expect(shown).not.toContain(hush);
    expect(shown).toContain('[hidden]');
    expect(describeViolations(found)).not.toContain(hush);
  });

  test('are hidden only where their name says so', () => {
    const schema = { additionalProperties: { type: 'integer' } };
    const texts = violations(schema, { password: 'same', query: 'same' }).map(({ received }) => received.text);
    expect(texts).toEqual(['[hidden]', '"same"']);
  });

  test('remain available to programs', () => {
    expect(violations({ properties: { password: { type: 'integer' } } }, { password: '5' })[0]?.received).toEqual({
      type: 'string',
      value: '5',
      text: '[hidden]',
    });
  });
});
