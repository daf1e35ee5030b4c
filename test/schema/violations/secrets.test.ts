import { describe, expect, it } from 'vitest';
import { describeViolations, isSecretName } from '../../../src/schema/index.js';
import { violations } from '../decide.js';

describe('Secrets', () => {
  it.each([
    ...['password', 'Password', 'user_password', 'dbPassword', 'passwd', 'pwd', 'passphrase', 'secret', 'clientSecret'],
    ...['token', 'access_token', 'accessToken', 'X-Auth-Token', 'api_key', 'apiKey', 'APIKey', 'APIKEY', 'apikey', 'key'],
    ...['private-key', 'credentials', 'Authorization', 'auth', 'cookie', 'jwt', 'secret1', 'token2'],
  ])('%s is the name of one', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each(['query', 'keyword', 'keywords', 'maxTokens', 'max_tokens', 'tokenizer', 'author', 'monkey', 'passenger', 'secretary', 'compass', ''])(
    '%s is not',
    (name) => {
      expect(isSecretName(name)).toBe(false);
    },
  );

  const hush = 'hunter2';

  it.each<[what: string, schema: object, instance: unknown]>([
    ['a member', { properties: { password: { type: 'integer' } } }, { password: hush }],
    ['within a member', { properties: { credentials: { properties: { a: { type: 'integer' } } } } }, { credentials: { a: hush } }],
    ['an item of a member', { properties: { token: { items: { type: 'integer' } } } }, { token: [hush] }],
    ['part of a refused value', { type: 'string' }, { deep: { apiKey: hush } }],
    ['in a branch', { properties: { secret: { anyOf: [{ type: 'integer' }, { maxLength: 1 }] } } }, { secret: hush }],
    ['with the same value elsewhere', { additionalProperties: { type: 'integer' } }, { token: hush, password: hush }],
  ])('%s: neither text nor message shows it', (_, schema, instance) => {
    const found = violations(schema, instance);
    expect(found).not.toEqual([]);
    const shown = JSON.stringify(found, (key, value: unknown) => (key === 'value' ? undefined : value));
    expect(shown).not.toContain(hush);
    expect(shown).toContain('[hidden]');
    expect(describeViolations(found)).not.toContain(hush);
  });

  it('are hidden only where their name says so', () => {
    const schema = { additionalProperties: { type: 'integer' } };
    const texts = violations(schema, { password: 'same', query: 'same' }).map(({ received }) => received.text);
    expect(texts).toEqual(['[hidden]', '"same"']);
  });

  it('remain available to programs', () => {
    expect(violations({ properties: { password: { type: 'integer' } } }, { password: '5' })[0]?.received).toEqual({
      type: 'string',
      value: '5',
      text: '[hidden]',
    });
  });
});
