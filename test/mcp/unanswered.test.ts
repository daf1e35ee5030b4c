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
const events =
  (text: string) =>
  ({ stream, response }: Exchange) => (stream(), response.end(text));
const compressed =
  (bytes: string | Buffer, status: number) =>
  ({ response }: Exchange) =>
    response.writeHead(status, { ...json, 'content-encoding': 'gzip' }).end(bytes);
/** The members of each error, with its text. */
const expected = JSON.parse(readFileSync(new URL('./unanswered.json', import.meta.url), 'utf8')) as Record<
  string,
  object
>;
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
  test.each<[string, (exchange: Exchange) => unknown]>([
    ['the answer to another', body('{"jsonrpc":"2.0","id":99,"result":{}}')],
    ['an answer without an id', body('{"jsonrpc":"2.0","id":null,"result":{}}')],
    ['an invalid answer', body('{"fault":"nope"}')],
    ['a notification', body('{"jsonrpc":"2.0","method":"notifications/a"}')],
    ['an empty batch', body('[]')],
    ['nothing', body('')],
    ['a page', ({ status }) => status(200, '<html>', { 'content-type': 'text/html' })],
    ['a body of no type', ({ status }) => status(200, '<html>')],
    ['HTTP 202', ({ status }) => status(202)],
    ['HTTP 204', ({ status }) => status(204)],
    ['a text with HTTP 202', ({ status }) => status(202, 'Later.')],
    ['the answer to another, in a stream', events('data: {"id":99,"result":{}}\n\n')],
    ['an event without a message', events('event: error\ndata: upstream 7 is gone\n\n')],
    ['a connection cut off', ({ response }) => response.destroy()],
    [
      'an event cut off',
      ({ stream, response }) => (stream(), response.write('data: {"jso'), setImmediate(() => response.destroy())),
    ],
    ['an event that does not end', events('data: {"jsonrpc":"2.0","id":1,"result":{}}')],
    ['a stream that cannot be taken up again', events('id: 7\nretry: 1\ndata:\n\n')],
    ['compressed rubbish', compressed('rubbish', 200)],
    ['a page with HTTP 500', ({ status }) => status(500, '<html>', { 'content-type': 'text/html' })],
    ['HTTP 502 and when to come again', ({ status }) => status(502, 'Down.\nFor long.', { 'retry-after': '7.2' })],
    ['HTTP 503 and a JSON error', body('{"error":{"code":9,"message":"busy"}}', 503)],
    ['HTTP 429', ({ status }) => status(429, '{"message":"slowly"}', { 'retry-after': '0' })],
    ['HTTP 413', ({ status }) => status(413)],
    ['HTTP 404', ({ status }) => status(404, '<html>Not found</html>')],
    ['HTTP 403', ({ status }) => status(403, 'Not you.')],
    ['HTTP 401', ({ status }) => status(401, '')],
    ['HTTP 302 to itself', ({ status }) => status(302, '', { location: '/mcp' })],
    ['HTTP 307 to itself', ({ status }) => status(307, '', { location: '/mcp' })],
    ['HTTP 308 to itself', ({ status }) => status(308, '', { location: '/mcp' })],
    ['HTTP 307 to elsewhere', ({ status }) => status(307, '', { location: 'http://u:p@a.example/b?c=d#e' })],
    ['HTTP 303', ({ status }) => status(303, '', { location: '/done' })],
    ['an error with the id null', body('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"odd"}}')],
    ['an error without an id', body('{"jsonrpc":"2.0","error":{"code":-32700,"message":"odd"}}')],
    ['an error with HTTP 400', body('{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"odd"}}', 400)],
    ['an error with HTTP 500', body('{"jsonrpc":"2.0","id":1,"error":{"code":-32700,"message":"odd","data":7}}', 500)],
    ['an error of header mismatch', body('{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"it failed"}}')],
    ['an error without "jsonrpc"', body('{"error":{"code":7,"message":"no such account"}}')],
    ['an error without "jsonrpc" and a code', body('{"error":{"message":"no such account"},"id":null}')],
    ['an error that is a text', body('{"error":"no such account"}')],
    ['an error without "jsonrpc" in an event', events('data: {"error":{"message":"no such account"}}\n\n')],
    ['an error in an event of its own kind', events('event: error\ndata: {"error":"no such account"}\n\n')],
  ])(
    'A call that gets %s in place of its answer fails at once, is not repeated, and the next one works',
    async (what, answer) => {
      const server = await onFirstCall(answer);
      const session = await connected(server, {}, address);
      const failure = await failureOf(echo(session));
      const told = JSON.stringify(Object.assign({ message: failure.message }, failure))
        .replaceAll(server.origin, 'http://server')
        // The same in the words of `fetch`.
        .replaceAll('UND_ERR_SOCKET', 'ECONNRESET')
        .replaceAll('terminated (incorrect header check)', 'incorrect header check');
      expect(JSON.parse(told)).toEqual(expected[what]);
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
