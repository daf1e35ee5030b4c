import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { HttpAddress } from '../../src/mcp/index.js';
import type { Exchange } from '../../test-support/servers/http.js';
import { until } from '../../test-support/waiting.js';
import { failureOf } from './calling.js';
import { closeAfterEach, connected, echo, given } from './serving.js';

closeAfterEach();

const json = { 'content-type': 'application/json' };
const body =
  (text: string, status = 200) =>
  ({ response }: Exchange) =>
    response.writeHead(status, json).end(text);
/** Answers the first call by this function, and everything else in the usual way. */
const onFirstCall = (answer: (exchange: Exchange) => unknown) => {
  let first = true;
  return given((exchange) =>
    exchange.message.method === 'tools/call' && first ? ((first = false), answer(exchange)) : exchange.plain(),
  );
};
const compressed =
  (bytes: string | Buffer, status: number) =>
  ({ response }: Exchange) =>
    response.writeHead(status, { ...json, 'content-encoding': 'gzip' }).end(bytes);
/** What is sent (`null`: the connection is closed), and the members of the error, with its text. */
const unanswered = JSON.parse(readFileSync(new URL('./unanswered.json', import.meta.url), 'utf8')) as [
  what: string,
  sends: [status: number, headers: Record<string, string>, text: string, isCutOff?: boolean] | null,
  error: object,
][];
/** Much longer than the part of an error that is read. */
const fiveMegabytes = gzipSync(Buffer.alloc(5_000_000));
const endlessly =
  (status: number) =>
  ({ response }: Exchange) => {
    response.writeHead(status, { 'content-type': 'text/plain' });
    const more = () => response.write('x'.repeat(100_000), (error) => error ?? setImmediate(more));
    more();
  };
const breaksOff = ({ response }: Exchange) => {
  response.writeHead(500).write('half of a sen');
  setTimeout(() => response.destroy(), 20);
};

describe.each<[string, Partial<HttpAddress>]>([
  ["Node's own client", {}],
  ['a fetch of the caller', { fetch: (input, init) => fetch(input, init) }],
])('a call by %s', (_, address) => {
  test.each(unanswered)(
    'A call that gets %s in place of its answer fails at once, is not repeated, and the next one works',
    async (_what, sends, expected) => {
      const server = await onFirstCall(({ response }) => {
        const [status, headers, text, isCutOff = false] = sends ?? [];
        if (!status) return response.destroy();
        response.writeHead(status, headers).write(text);
        return isCutOff ? setImmediate(() => response.destroy()) : response.end();
      });
      const session = await connected(server, {}, address);
      const failure = await failureOf(echo(session));
      const told = JSON.stringify(Object.assign({ message: failure.message }, failure))
        .replaceAll(server.origin, 'http://server')
        // The same in the words of `fetch`.
        .replaceAll('UND_ERR_SOCKET', 'ECONNRESET')
        .replaceAll('terminated (incorrect header check)', 'incorrect header check');
      expect(JSON.parse(told)).toEqual(expected);
      expect(server.methods()).toEqual(['initialize', 'notifications/initialized', 'tools/call']);
      expect(await echo(session)).toBe('{"a":1}');
    },
  );

  const secret = 'a-very-long-secret-value';
  // The first text is cut inside the mask, the others before it.
  test.each<[string, (exchange: Exchange) => unknown, string]>([
    ['an error', ({ status }) => status(500, `${'x'.repeat(395)}${secret}`), 'x[hidd'],
    ['an invalid answer', body(`{"fault":"${'x '.repeat(92)}${secret} and more of it"}`), 'x ….'],
    ['a text that is not JSON', body(`${'x '.repeat(98)}${secret} and more of test`), 'x ….'],
  ])('The error of a call shows no part of a secret that the server repeats in %s', async (_, answer, end) => {
    const session = await connected(await onFirstCall(answer), {}, { ...address, headers: { 'X-Key': secret } });
    const { message } = await failureOf(echo(session));
    expect(message).not.toContain(secret.slice(0, 5));
    expect(message.slice(-end.length)).toBe(end);
  });

  test('The error of a call hides a secret in the content type of another response', async () => {
    const answered = await onFirstCall(({ response }) =>
      response.writeHead(200, { 'content-type': `text/${secret}` }).end('x'),
    );
    const session = await connected(answered, {}, { ...address, headers: { 'X-Key': secret } });
    const { message, details } = await failureOf(echo(session));
    expect(message).toContain('content of type text/[hidden].');
    expect(details).toBe('content of type text/[hidden].');
  });

  test.each<[string, (exchange: Exchange) => unknown, string]>([
    ['an endless error', endlessly(500), 'HTTP_STATUS'],
    ['an endless page', endlessly(200), 'PROTOCOL_VIOLATION'],
    ['a small error that unpacks to 5 MB', compressed(fiveMegabytes, 500), 'HTTP_STATUS'],
    ['an error that breaks off', breaksOff, 'HTTP_STATUS'],
  ])('A call that gets %s fails once its beginning is read, and frees its socket', async (_, answer, code) => {
    let ended = false;
    const session = await connected(
      await onFirstCall((exchange) => (exchange.response.on('close', () => (ended = true)), answer(exchange))),
      {},
      address,
    );
    expect(await failureOf(echo(session))).toMatchObject({ code });
    await until(() => ended);
  });

  test('The error of a failed call does not appear in a later call', async () => {
    const answers = [
      ({ result }: Exchange) => result({ content: [{ type: 'text', text: 'x'.repeat(20_000) }] }),
      ({ status }: Exchange) => status(500),
    ];
    const server = await given((exchange) =>
      exchange.message.method === 'tools/call' ? answers.shift()!(exchange) : exchange.plain(),
    );
    const session = await connected(server, { maxMessageBytes: 10_000 }, address);
    expect(await failureOf(echo(session))).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(await failureOf(echo(session))).toMatchObject({ code: 'HTTP_STATUS', status: 500 });
  });
});
