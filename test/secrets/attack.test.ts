import { expect, test } from 'vitest';
import type { ServerAddress } from '../../src/mcp/index.js';
import { tailOf } from '../../src/mcp/stdio/output.js';
import { addressSecrets, type SecretMask, secretMask } from '../../src/secrets/index.js';
import { fc } from '../../test-support/fuzz.js';
import { lawRuns } from '../../test-support/law-runs.js';
import { anything, ascii, base64, echoes, noise, shownAs } from './repeating.js';

/** Has the shape of a token. */
const token = fc
  .string({ unit: fc.constantFrom(...Array.from('abcdefghijkmnopqrstuvwxyz0123456789')), minLength: 20, maxLength: 30 })
  .map((text) => `a1${text}`);

const header = (name: string, value: string): ServerAddress => ({ url: 'https://h/', headers: { [name]: value } });
const server = { transport: 'stdio', command: 'server' } as const;
const variable = (name: string, value: string): ServerAddress => ({ ...server, env: { [name]: value } });
const program = (...args: string[]): ServerAddress => ({ ...server, args });
const basic = (value: string) => base64(`someone:${value}`);
const cookie = (value: string) => `theme=dark; sid=${value}`;
const url = encodeURIComponent;

/** The places of a secret in an address, with the text that is sent if it is not the value itself. */
type ToAddress = (value: string) => ServerAddress;
const places: [name: string, value: fc.Arbitrary<string>, address: ToAddress, sent?: (value: string) => string][] = [
  ['a bearer token', ascii, (v) => header('Authorization', `Bearer ${v}`)],
  ['a header of its own', ascii, (v) => header('X-Acme', v)],
  ['a password', ascii.filter((v) => !v.includes(':')), (v) => header('Authorization', `Basic ${basic(v)}`), basic],
  ['a cookie', ascii.filter((v) => !/[;=]/.test(v)), (v) => header('Cookie', cookie(v)), cookie],
  ['the password of a URL', anything, (v) => ({ url: `https://someone:${url(v)}@h/` }), basic],
  ['the user of a URL', anything, (v) => ({ url: `https://${url(v)}@h/` })],
  ['the query of a URL', anything, (v) => ({ url: `https://h/?api_key=${url(v)}` })],
  ['the path of a URL', token, (v) => ({ url: `https://h/s/${v}/mcp` })],
  ['a variable', anything, (v) => variable('ACME_TOKEN', v)],
  ['a connection string', anything, (v) => variable('DATABASE_URL', `postgres://me:${url(v)}@db/x`)],
  ['a token in any variable', token, (v) => variable('ACME', v)],
  ['an argument after its option', anything, (v) => program('--api-key', v)],
  ['an argument with its option', anything, (v) => program(`--token=${v}`)],
  ['a header as an argument', ascii, (v) => program('--header', `Authorization: Bearer ${v}`)],
  ['a variable as an argument', anything, (v) => program('run', '-e', `API_KEY=${v}`)],
  ['JSON as an argument', anything, (v) => program(JSON.stringify({ auth: { key: [v] } }))],
  ['a token as an argument', token, (v) => program('start', v)],
];

const maskFor = (address: ServerAddress): SecretMask => secretMask(addressSecrets(address));
const given = fc.oneof(
  ...places.map(([name, values, address, sent = (value: string) => value]) =>
    values.map((value) => ({ name, value, address: address(value), sent: sent(value) })),
  ),
);

test.each(Object.entries(echoes))('No secret is shown if a server repeats %s', (_way, echo) => {
  fc.assert(
    fc.property(given, ({ name, value, address, sent }) => {
      for (const secret of new Set([value, sent])) {
        const repeated = `${noise}${echo(secret)} ${noise}`;
        expect(shownAs(repeated, secret)).toBeDefined();
        expect(shownAs(maskFor(address)(repeated), secret), name).toBeUndefined();
      }
    }),
    { numRuns: lawRuns(100) },
  );
});

test('The end of stderr never shows a secret, however it arrives and wherever it is cut off', () => {
  fc.assert(
    fc.property(given, fc.nat(40), fc.integer({ min: 1, max: 9 }), ({ address, value: text }, shift, size) => {
      // Long enough that the beginning is cut off.
      const written = Buffer.from(`${noise.slice(0, shift)}${`${text}\n`.repeat(40)}`);
      const tail = tailOf(20, maskFor(address));
      for (let at = 0; at < written.length; at += size) tail.push(written.subarray(at, at + size));
      expect(shownAs(tail.text(), text)).toBeUndefined();
    }),
    { numRuns: lawRuns(400) },
  );
});
