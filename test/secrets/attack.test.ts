import { expect, test } from 'vitest';
import { InputRequiredError, type McpError, type ServerAddress } from '../../src/mcp/index.js';
import { explain, type FailureContext, ofAnswer } from '../../src/mcp/errors/explain.js';
import { HttpFailure, TimedOut, Unauthorized } from '../../src/mcp/errors/failures.js';
import { tailOf } from '../../src/mcp/stdio/output.js';
import { describeAddress } from '../../src/mcp/transport/address.js';
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

/** Everything of an error that people, programs and logs read. */
function allOf(error: McpError): string {
  const { message, stack, title, details, hint } = error;
  return [message, stack, title, details, hint, JSON.stringify(error)].join('\n');
}

/** Every error that holds something of what a server said. */
const errors: Record<string, (said: string, context: FailureContext) => McpError> = {
  'an error answer': (said, context) => ofAnswer({ code: -32000, message: said, data: undefined }, context),
  'the data of an error answer': (said, context) =>
    ofAnswer({ code: -32000, message: 'no', data: { [said]: [said, { deep: said }] } }, context),
  'a refused revision': (said, context) => ofAnswer({ code: -32022, message: said, data: undefined }, context),
  'the text of an HTTP status': (said, context) => explain(new HttpFailure(500, said), context),
  'the JSON of an HTTP status': (said, context) =>
    explain(new HttpFailure(502, JSON.stringify({ error: { message: said } })), context),
  'an error answer with an HTTP status': (said, context) =>
    explain(
      new HttpFailure(400, JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: 1, message: said } })),
      context,
    ),
  'a redirect': (said, context) => explain(new HttpFailure(302, '', { said, hint: '' }), context),
  'refused credentials': (said, context) => explain(new Unauthorized(said), context),
  'what came in place of an answer': (said, context) => explain(new TimedOut(), { ...context, diagnostics: said }),
  'a lost connection': (said, context) => explain(new Error('lost', { cause: new Error(said) }), context),
  'what is wanted of the user': (said, context) =>
    explain(new InputRequiredError(`It wants ${said}.`, [said]), context),
};

test.each(Object.entries(errors))('%s never shows what an address holds', (_name, errorOf) => {
  fc.assert(
    fc.property(given, fc.constantFrom(...Object.values(echoes)), ({ place, value }, echo) => {
      const address = place.address(value);
      const text = `${noise}${echo(place.sent?.(value) ?? value)}`;
      const error = errorOf(text, {
        server: describeAddress(address),
        mask: maskFor(address),
        method: 'tools/call',
        idleTimeoutMs: 1,
      });
      expect(shownAs(allOf(error), value), place.name).toBeUndefined();
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
