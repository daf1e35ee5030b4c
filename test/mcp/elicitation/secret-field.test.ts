import { expect, test } from 'vitest';
import { formProblem } from '../../../src/mcp/elicitation/elicitor.js';

const password = { properties: { password: { type: 'string' } } };

test.each<[field: string, schema: object]>([
  ['password', { type: 'string' }],
  ['apiKey', { type: 'string' }],
  ['card_number', { type: 'string' }],
  ['value', { type: 'string', title: 'Access token' }],
  ['value', { type: 'string', format: 'password' }],
  ['value', { type: 'string', title: 'API key, version 2' }],
  ['value', { type: 'string', title: 'Password of your email address' }],
  ['cvv2', { type: 'integer' }],
  ['one_time_code', { type: 'string' }],
  ['login_pw', { type: 'string' }],
  ['passwort', { type: 'string' }],
])('A form with the field %s %j asks for a secret', (field, schema) => {
  expect(formProblem({ properties: { [field]: schema } })).toContain(`"${field}" looks like a secret`);
});

test.each([
  { properties: { account: { type: 'object', ...password } } },
  { allOf: [password] },
  { $ref: '#/$defs/a', $defs: { a: password } },
])('So does one wherever the field stands: %j', (schema) => {
  expect(formProblem(schema)).toContain('"password" looks like a secret');
});

test.each<[field: string, schema: object]>([
  ['max_tokens', { type: 'integer' }],
  ['password_length', { type: 'integer' }],
  ['require_password', { type: 'boolean' }],
  ['secret_kind', { type: 'string', enum: ['key', 'certificate'] }],
  ['pincode', { type: 'string', title: 'Postal code' }],
  ['passenger', { type: 'string', title: 'How shall we pass on your message?' }],
])('One with the field %s %j only sounds like it', (field, schema) => {
  expect(formProblem({ properties: { [field]: schema } })).toBeUndefined();
});

test('A form that is too large to be looked through is a problem, too', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => [`f${index}`, { type: 'string' }] as const);
  expect(formProblem({ properties: Object.fromEntries(many) })).toBe('Its form is too large.');
});
