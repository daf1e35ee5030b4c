import { describe, expect, test } from 'vitest';
import { argumentSecrets, hideSecretsIn, isSecret, namesTo, secretMask } from '../../src/secrets/index.js';
import { shownText, shownValue } from '../../src/secrets/index.js';

const token = 'ghp_0123456789abcdefghijABCDEFGHIJ';

test.each<[name: string, value: unknown, secret: boolean]>([
  ['query', 'sk-proj-0123456789abcdefghij', true],
  ['query', token, true],
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
])('An argument %s of the value %j is a secret: %j', (name, value, secret) => {
  expect(isSecret([name], value)).toBe(secret);
});

describe('Arguments of a call', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(20)}${JSON.stringify(token)}${'}'.repeat(20)}`) as Record<string, unknown>;

  test.each<[args: Record<string, unknown>, secrets: string[]]>([
    [{ user: 'me', limit: 5, note: null, all: true }, []],
    [{ password: 'hunter2', pin: 1234 }, ['hunter2', '1234']],
    [{ password: true, secret: null, token: undefined }, []],
    [{ passwords: ['a', { old: 'b' }] }, ['a', 'b']],
    [{ headers: ['x-api-key', 'abc'] }, []],
    [{ fields: [{ name: 'password', value: 'abc' }] }, ['abc']],
    [{ query: token }, [token]],
    [deep, [token]],
  ])('Of the arguments %j, the secrets are %j', (args, secrets) => {
    expect(argumentSecrets(args)).toEqual(secrets);
  });

  test('All values of hidden arguments are secrets and come first', () => {
    const hidden = { tenant: 'acme', ids: [7, { name: 'x' }], on: true, none: null };
    expect(argumentSecrets({ password: 'hunter2' }, hidden)).toEqual(['acme', '7', 'x', 'hunter2']);
  });

  test('With very many secrets, the whole text is hidden without delay', () => {
    const mask = secretMask(argumentSecrets({ passwords: Array.from({ length: 120_000 }, (_, i) => `pass-${i}`) }));
    expect(mask('no pass-7, and so on')).toBe('[hidden]');
  });
});

test.each<[root: unknown, path: (string | number)[], names: string[]]>([
  [{ a: { b: 1 } }, ['a', 'b'], ['a', 'b']],
  [['x-api-key', 'abc'], [1], ['1']],
  [[{ name: 'password', value: 'abc' }], [0, 'value'], ['0', 'password']],
  [[{ field: 'password', values: ['abc'] }], [0, 'values', 0], ['0', 'password', '0']],
  [{}, ['absent', 'value'], ['absent', 'value']],
  [{ a: 'text' }, ['a', 'value'], ['a', 'value']],
  [Object.create({ inherited: { name: 'password' } }), ['inherited', 'value'], ['inherited', 'value']],
])('In %j, the names on the way to %j are %j', (root, path, names) => {
  expect(namesTo(root, path)).toEqual(names);
});

test.each<[what: string, value: unknown]>([
  ['a long string', 'x'.repeat(1_000_000)],
  ['a long array', Array.from({ length: 100_000 }, (_, i) => i)],
  ['a wide object', Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`name${i}`, i]))],
  ['a long name', { ['x'.repeat(100_000)]: 1 }],
])('A value on one line is cut to about 80 characters: %s', (_, value) => {
  expect(shownText(value).length).toBeLessThanOrEqual(90);
  expect(shownText(value)).toContain('...');
});

test.each<[value: unknown, limit: number, text: string]>([
  [null, 80, 'null'],
  [undefined, 80, 'null'],
  [Infinity, 80, 'Infinity'],
  ['a "b"\n', 80, '"a \\"b\\"\\n"'],
  [{ a: [1.5, true], b: { c: [] } }, 80, '{"a":[1.5,true],"b":{"c":[]}}'],
  ['abcdefgh', 10, '"abcdefgh"'],
  ['abcdefghi', 10, '"abcdef...'],
  [[1, 2, 3, 4, 5], 10, '[1,2,3,...'],
  [[12, 34, 56], 10, '[12,34,56]'],
  [{ password: 'abc', b: 1 }, 30, '{"password":[hidden],"b":1}'],
  [token, 80, '[hidden]'],
  [{ name: 'Authorization', value: 'abc' }, 80, '{"name":"Authorization","value":[hidden]}'],
  [{ key: 'api_key', values: ['abc'] }, 80, '{"key":"api_key","values":[hidden]}'],
  [{ name: 'Accept', value: 'abc' }, 80, '{"name":"Accept","value":"abc"}'],
  [{ name: 'token', type: 'string' }, 80, '{"name":"token","type":"string"}'],
  [{ [token]: 1 }, 80, '{[hidden]:1}'],
])('The value %j on one line of %i characters is %s', (value, limit, text) => {
  expect(shownText(value, limit)).toBe(text);
});

test('A value on one line is never cut within a surrogate pair', () => {
  // encodeURIComponent throws for half a pair
  for (const before of ['', 'x']) expect(encodeURIComponent(shownText(before + '😀'.repeat(100)))).not.toBe('');
});

test.each<[value: unknown, path: string[], shown: unknown]>([
  [{ a: [1, null] }, [], { a: [1, null] }],
  [{ user: 'me', password: 'hunter2' }, [], { user: 'me', password: '[hidden]' }],
  ['hunter2', ['login', 'password'], '[hidden]'],
  ['postgres://u:hunter2@h/', ['dsn'], 'postgres://u:[hidden]@h/'],
  ['x'.repeat(200), [], 'x'.repeat(200)],
  ['x'.repeat(201), [], `${'x'.repeat(199)}…`],
  [null, [], null],
  [undefined, [], undefined],
  [['x'.repeat(196)], [], ['x'.repeat(196)]],
  [['x'.repeat(197)], [], `["${'x'.repeat(195)}...`],
  [[token, 'a password=b'], [], ['[hidden]', 'a password=[hidden]']],
  [{ headers: [{ name: 'Cookie', value: 'a=b' }] }, [], { headers: [{ name: 'Cookie', value: '[hidden]' }] }],
  [{ [token]: 1 }, [], { '[hidden]': 1 }],
  [{ ['n'.repeat(192)]: 'abc' }, [], `{"${'n'.repeat(192)}":"...`],
  [{ a: ['x'.repeat(100), { b: 'x'.repeat(100) }] }, [], expect.stringMatching(/^\{"a":\["x.*\.\.\.$/)],
])('The value %j at %j is shown in a log as %j', (value, path, shown) => {
  expect(shownValue(value, path)).toEqual(shown);
});

test('Only the beginning of a large value is read and shown', () => {
  let looks = 0;
  const list = new Proxy(
    Array.from({ length: 1_000_000 }, (_, i) => i),
    { get: (target, key) => (looks++, Reflect.get(target, key) as unknown) },
  );
  expect(shownValue(list)).toMatch(/^\[0,1,2,.*\.\.\.$/);
  expect(shownText([list, list], 20)).toBe('[[0,1,2,3,4,5,6,7...');
  expect(looks).toBeLessThan(1000);
});

// One is cut at 80 characters, the other at 200.
test.each([41, 48, 54, 161, 170, 176])(
  'A value for a log hides a secret after %d characters that would be cut',
  (before) => {
    const text = `${' '.repeat(before)}postgres://user:hunter2-hunter2-hunter2@host/db`;
    expect(shownText(text)).not.toContain('hunter');
    expect(shownValue(text)).not.toContain('hunter');
  },
);

/** Invented tokens in the format of each service: #20 stands for 20 letters and digits, %32 for hexadecimal. */
const forms = `
  GitHub github_pat_%16  GitHub ghp_%20  GitLab glpat-%16  GitLab gldt-#20  Slack xoxb-%16  Slack xapp-1-A01-123-%80
  Slack xoxe.xoxb-1-#70  AWS AKIA0123456789ABCDEF  Google AIza#30  Google ya29.%16  Google GOCSPX-#28  Google 1//0#40
  Stripe sk_%16  Stripe rk-%16  Stripe sk_live_#24  Stripe whsec_#32  OpenAI sk-proj-#70  Anthropic sk-ant-api03-#70
  npm npm_#30  HuggingFace hf_#20  SendGrid SG.#22.#43  Telegram 123456789:AA#33  Groq gsk_#52  xAI xai-#70
  Vault hvs.#70  Terraform #14.atlasv1.#60  Shopify shpat_%32  DigitalOcean dop_v1_%64  Atlassian ATATT3xFf#70=ABCD1234
  Notion ntn_%11#35  Linear lin_api_#40  PyPI pypi-AgEIcHlwaS5vcmc#70  Docker dckr_pat_#27  Databricks dapi%32
  Mailgun key-%32  Mailchimp %32-us12  Twilio SK%32  Supabase sbp_%40  PlanetScale pscale_tkn_#43  Postman PMAK-%24-%34
  Grafana glsa_#32_12345678  Sentry sntryu_%64  Doppler dp.pt.#43  1Password ops_eyJ#70  Airtable pat#14.%64
  HubSpot pat-na1-%8-%4-%4-%4-%12  Figma figd_#40  Discord MTA#21.#6.#38  Azure abc8Q~#34  Replicate r8_#37
  Resend re_#8_#24
`;
const filler = 'aB3dE5fG7hJ9kL2mN4pQ6rS8tU0vW1xY3zA5bC7dE9fG1hJ3kL5mN7pQ9rS1tU3vW5xY7z';
const digits = '0123456789abcdef'.repeat(5);
const made = (form: string) =>
  form.replace(/([#%])(\d+)/g, (_, kind, length) => (kind === '#' ? filler : digits).slice(0, Number(length)));

test.each(forms.trim().split(/\s{2,}/))('A token is a secret at any place: %s', (form) => {
  const token = made(form.replace(/^\S+ /, ''));
  expect(isSecret([], token)).toBe(true);
  expect(shownText({ [token]: token })).toBe('{[hidden]:[hidden]}');
  for (const around of ['X', 'in "X", they', '?x=X&y=1', '/a/X', 'is X.']) {
    const [hidden, expected] = [hideSecretsIn(around.replace('X', token)), around.replace('X', '[hidden]')];
    expect(hidden.replace(/\.$/, '')).toBe(expected.replace(/\.$/, ''));
  }
});
