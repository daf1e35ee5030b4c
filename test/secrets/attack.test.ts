import { expect, test } from 'vitest';
import type { ServerAddress } from '../../src/mcp/index.js';
import { tailOf } from '../../src/mcp/stdio/output.js';
import { addressSecrets, type SecretMask, secretMask } from '../../src/secrets/index.js';
import { fc } from '../../test-support/fuzz.js';
import { lawRuns } from '../../test-support/law-runs.js';
import { anything, ascii, base64, echoes, noise, shownAs } from './repeating.js';

/** Somewhere in an address that a secret stands. */
interface Place {
  readonly name: string;
  readonly value: fc.Arbitrary<string>;
  address(value: string): ServerAddress;
  /** What is sent, or given to the process, because of the value. */
  sent?(value: string): string;
}

const program = (more: { args?: string[]; env?: Record<string, string> }): ServerAddress => ({
  transport: 'stdio',
  command: 'server',
  ...more,
});

/** What is a token by its shape. */
const token = fc
  .string({ unit: fc.constantFrom(...Array.from('abcdefghijkmnopqrstuvwxyz0123456789')), minLength: 20, maxLength: 30 })
  .map((text) => `a1${text}`);

const places: Place[] = [
  {
    name: 'a bearer token',
    value: ascii,
    address: (v) => ({ url: 'https://h/', headers: { Authorization: `Bearer ${v}` } }),
  },
  { name: 'a header of its own', value: ascii, address: (v) => ({ url: 'https://h/', headers: { 'X-Acme': v } }) },
  {
    name: 'Basic credentials',
    value: ascii.filter((text) => !text.includes(':')),
    address: (v) => ({ url: 'https://h/', headers: { Authorization: `Basic ${base64(`someone:${v}`)}` } }),
    sent: (v) => base64(`someone:${v}`),
  },
  {
    name: 'a cookie',
    value: ascii.filter((text) => !/[;=]/.test(text)),
    address: (v) => ({ url: 'https://h/', headers: { Cookie: `theme=dark; sid=${v}` } }),
    sent: (v) => `theme=dark; sid=${v}`,
  },
  {
    name: 'the password of a URL',
    value: anything,
    address: (v) => ({ url: `https://someone:${encodeURIComponent(v)}@h/` }),
    sent: (v) => base64(`someone:${v}`),
  },
  { name: 'the user of a URL', value: anything, address: (v) => ({ url: `https://${encodeURIComponent(v)}@h/` }) },
  {
    name: 'the query of a URL',
    value: anything,
    address: (v) => ({ url: `https://h/?api_key=${encodeURIComponent(v)}` }),
  },
  { name: 'the path of a URL', value: token, address: (v) => ({ url: `https://h/s/${v}/mcp` }) },
  { name: 'a variable', value: anything, address: (v) => program({ env: { ACME_TOKEN: v } }) },
  {
    name: 'a connection string in a variable',
    value: anything,
    address: (v) => program({ env: { DATABASE_URL: `postgres://me:${encodeURIComponent(v)}@db/x` } }),
  },
  { name: 'a token in any variable', value: token, address: (v) => program({ env: { ACME: v } }) },
  { name: 'an argument after its option', value: anything, address: (v) => program({ args: ['--api-key', v] }) },
  { name: 'an argument with its option', value: anything, address: (v) => program({ args: [`--token=${v}`] }) },
  {
    name: 'a header as an argument',
    value: ascii,
    address: (v) => program({ args: ['--header', `Authorization: Bearer ${v}`] }),
  },
  {
    name: 'a variable as an argument',
    value: anything,
    address: (v) => program({ args: ['run', '-e', `API_KEY=${v}`] }),
  },
  {
    name: 'JSON as an argument',
    value: anything,
    address: (v) => program({ args: [JSON.stringify({ auth: { key: [v] } })] }),
  },
  { name: 'a token as an argument', value: token, address: (v) => program({ args: ['start', v] }) },
];

const maskFor = (address: ServerAddress): SecretMask => secretMask(addressSecrets(address));
const given = fc.oneof(...places.map((place) => place.value.map((value) => ({ place, value }))));

test.each(Object.entries(echoes))('A server that repeats %s what it was given shows nothing of it', (_way, echo) => {
  fc.assert(
    fc.property(given, ({ place, value }) => {
      const mask = maskFor(place.address(value));
      for (const secret of new Set([value, place.sent?.(value) ?? value])) {
        const repeated = `${noise}${echo(secret)} ${noise}`;
        expect(shownAs(repeated, secret)).toBeDefined();
        expect(shownAs(mask(repeated), secret), place.name).toBeUndefined();
      }
    }),
    { numRuns: lawRuns(100) },
  );
});

test('The end of stderr never shows a secret, however it arrives and wherever it is cut off', () => {
  fc.assert(
    fc.property(given, fc.nat(40), fc.integer({ min: 1, max: 9 }), ({ place, value: text }, shift, size) => {
      // As long as makes it cut off what came first.
      const written = Buffer.from(`${noise.slice(0, shift)}${`${text}\n`.repeat(40)}`);
      const tail = tailOf(20, maskFor(place.address(text)));
      for (let at = 0; at < written.length; at += size) tail.push(written.subarray(at, at + size));
      expect(shownAs(tail.text(), text)).toBeUndefined();
    }),
    { numRuns: lawRuns(400) },
  );
});
