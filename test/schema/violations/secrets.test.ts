import { describe, expect, test } from 'vitest';
import { violationLines } from '../../../src/schema/violations/describe.js';
import { integer, string } from '../../../test-support/schemas/short.js';
import { violations } from '../decide.js';

describe('Secrets in violations', () => {
  const hush = 'hunter2';

  test.each<[what: string, schema: object, instance: unknown]>([
    ['a member', { properties: { password: integer } }, { password: hush }],
    ['within a member', { properties: { credentials: { properties: { a: integer } } } }, { credentials: { a: hush } }],
    ['an item of a member', { properties: { token: { items: integer } } }, { token: [hush] }],
    ['part of a refused value', string, { deep: { apiKey: hush } }],
    ['in a branch', { properties: { secret: { anyOf: [integer, { maxLength: 1 }] } } }, { secret: hush }],
    [
      'beside its name',
      { properties: { headers: { items: { properties: { value: integer } } } } },
      { headers: [{ name: 'Authorization', value: hush }] },
    ],
    ['known by its shape', integer, `Bearer ${hush}-and-more`],
    ['with the same value elsewhere', { additionalProperties: integer }, { token: hush, password: hush }],
  ])('A secret in a violation is in neither its text nor its message: %s', (_, schema, instance) => {
    const found = violations(schema, instance);
    expect(found).not.toEqual([]);
    const shown = JSON.stringify(found, (key, value: unknown) => (key === 'value' ? undefined : value));
    expect(shown).not.toContain(hush);
    expect(shown).toContain('[hidden]');
    expect(violationLines(found).join('\n')).not.toContain(hush);
  });

  test('A secret that is the name of a property is not shown', () => {
    const token = 'ghp_0123456789abcdefghijABCDEFGHIJ';
    const schema = { properties: { closed: { additionalProperties: false } }, additionalProperties: string };
    const text = violationLines(violations(schema, { [token]: 1, closed: { [token]: 1 }, deep: { [token]: 1 } })).join(
      '\n',
    );
    expect(text).not.toContain('ghp_');
    expect(text).toContain('/[hidden]: must be string');
    expect(text).toContain('must not have the property [hidden]');
  });

  test('Secrets in violations are hidden only if their name says so', () => {
    const schema = { additionalProperties: integer };
    const texts = violations(schema, { password: 'same', query: 'same' }).map(({ received }) => received.text);
    expect(texts).toEqual(['[hidden]', '"same"']);
  });

  test.each([
    [['boolean'], '"x"'],
    [['boolean', 'null'], '"x"'],
    [['boolean', 'integer'], '[hidden]'],
    [['integer'], '[hidden]'],
    [['null'], '[hidden]'],
  ])('A value is not a secret if the schema expects a boolean: %j', (type, text) => {
    expect(violations({ properties: { password: { type } } }, { password: 'x' })[0]?.received.text).toBe(text);
  });

  test('Secrets in violations remain available to programs', () => {
    const [found] = violations({ properties: { password: integer } }, { password: '5' });
    expect(JSON.parse(JSON.stringify(found?.received))).toEqual({ type: 'string', value: '5', text: '[hidden]' });
  });
});
