import { PassThrough } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { serveHttp, serveStdio } from '../../src/serve/index.js';
import { Client, drained } from '../../src/serve/clients/client.js';
import { messageIn } from '../../src/serve/message-size.js';
import type { Principal } from '../../src/serve/principal.js';
import type { Received } from './in-front.js';
import { asked, called, echoing, greeted, handshake, inFront } from './in-front.js';
import { scripted } from './in-front.js';

/** A server that asks for roots and logs right after the handshake. */
const server = scripted(
  "ping: {}, 'logging/setLevel': {}, 'resources/subscribe': {},",
  `const log = (data) => print({ method: 'notifications/message', params: { level: 'info', data } });
  if (method === 'initialize') {
    log('early');
    answers.initialize.serverInfo.title = JSON.stringify([params.clientInfo, params.capabilities]);
  } else if (method === 'notifications/initialized') print({ id: 'r', method: 'roots/list', params: {} });
  else if (method === 'notifications/roots/list_changed') log('roots changed');
  else if (id !== undefined && method) log(method);
  else if (result) log(result.roots.length);`,
  'logging: {}, resources: { subscribe: true }',
);

const logged = (data: unknown) => (message: Received) =>
  message.method === 'notifications/message' && message.params.data === data;

describe('A client with a handshake', () => {
  test('A client gets questions and logs only once it is ready, and then all of them', async () => {
    await using front = inFront(server);
    front.write(handshake[0]!);
    await front.line(({ id }) => id === 'i');
    await asked(front, 'ping');
    expect(front.lines).toHaveLength(2);
    front.write(handshake[1]!);
    await front.line(logged('early'));
    const { id } = await front.message(({ method }) => method === 'roots/list');
    front.write(JSON.stringify({ jsonrpc: '2.0', id, result: { roots: [{ uri: 'file:///a' }] } }));
    await front.line(logged(1));
  });

  test('What servers announce waits for a client that is not ready, up to 8 MB', () => {
    const sent: string[] = [];
    const client = new Client(
      { servers: [], tool: {}, log: () => {} },
      { send: (text) => sent.push(text), answer() {} },
    );
    client.take(messageIn(handshake[0]!));
    for (const size of [4, 3, 2, 0]) client.principal!.announce('m', {}, `"${'x'.repeat(size * 1024 * 1024)}"`);
    expect(sent).toEqual([]);
    client.take(messageIn(handshake[1]!));
    client.principal!.announce('m', {}, '""');
    expect(sent.map((text) => Math.round(text.length / 1024 / 1024))).toEqual([4, 3, 0]);
  });

  test('A client may subscribe to a thousand resources of a server, and to no very long URI', async () => {
    await using front = greeted(server);
    const subscribe = (uri: string) => asked(front, 'resources/subscribe', { uri });
    expect(await subscribe(`a:/${'x'.repeat(10_000)}`)).toContain('-32602');
    for (let n = 1; n <= 1000; n++) void subscribe(`a:/${n}`);
    expect(await subscribe('a:/1001')).toContain('A client may subscribe to 1000 resources');
    expect(await subscribe('a:/1')).toContain('"result":{}');
  });
});

test('A question that is not answered in time is cancelled at the client, with no reason but a text', async () => {
  await using front = greeted(echoing, { questionTimeoutMs: 1 });
  void called(front, 'ask');
  const { params } = await front.message(({ method }) => method === 'notifications/cancelled');
  expect(params).toEqual({ requestId: 0 });
});

test('A call that is under way when serving over stdio ends is answered, and its outcome is unknown', async () => {
  const front = greeted(echoing);
  const answer = called(front, 'hang');
  await front.line(logged('hanging'));
  await front[Symbol.asyncDispose]();
  expect(await answer).toMatch(/The gateway has stopped before the answer came\. .*is unknown/);
});

test('When serving ends, requests under way are taken back, and their last answers may take a while', async () => {
  const client = {
    isStopping: false,
    isIdle: false,
    takeBack: vi.fn(() => void setTimeout(() => (client.isIdle = true), 30)),
  };
  await drained(() => [client as unknown as Client], 1);
  expect([client.isStopping, client.isIdle]).toEqual([true, true]);
  expect(client.takeBack.mock.calls).toEqual([['The gateway is stopping.']]);
});

test('The length of a request counts among those of its principal that are under way', () => {
  const principal = { identity: {}, underWay: vi.fn(() => new Promise(() => {})) };
  const wire = { send() {}, answer() {} };
  const client = new Client({ servers: [], tool: {}, log: () => {} }, wire, principal as unknown as Principal);
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  client.take(messageIn(ping));
  expect(principal.underWay.mock.calls).toEqual([[ping.length, expect.any(Function)]]);
});

const ofMegabytes = (count: number) => Buffer.alloc(count * 1024 * 1024, ' ');
const gone = 'the client has closed its end';
const deaf = 'the client reads nothing any more';

test.each<[string, (stdin: PassThrough, stdout: PassThrough) => void, string]>([
  ['ends what it sends', (stdin) => stdin.end(), gone],
  ['closes its end', (stdin) => stdin.destroy(), gone],
  ['breaks its end', (stdin) => stdin.destroy(new Error('broken')), gone],
  ['stops reading', (_, stdout) => stdout.destroy(), deaf],
  ['breaks what it reads', (_, stdout) => stdout.destroy(new Error('broken')), deaf],
  [
    'sends a line that is too long',
    (stdin) => [128, 1].forEach((count) => stdin.write(ofMegabytes(count))),
    'it sent a message of more than 134217728 bytes',
  ],
])('Serving over stdio ends when the client %s, and the log says so', async (_, ends, reason) => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const log: unknown[] = [];
  const options = { servers: [], tool: {}, log: (...entry: unknown[]) => log.push(entry) };
  const over = serveStdio(options, { stdin, stdout, signal: new AbortController().signal, graceMs: 1 });
  stdin.write(`${handshake[0]}\n`);
  await vi.waitFor(() => expect(log).toHaveLength(1));
  ends(stdin, stdout);
  await over;
  expect(log.at(-1)).toEqual(['session ended', { client: 'test 1', reason }]);
});

test('Serving ends at once if it was to end before it began, over stdio and HTTP', async () => {
  const signal = AbortSignal.abort();
  const options = { servers: [], tool: {}, log: () => {} };
  const onListening = vi.fn();
  await serveStdio(options, { stdin: new PassThrough(), stdout: new PassThrough(), signal, graceMs: 1 });
  await serveHttp(options, { port: 0, host: '127.0.0.1', origins: [], signal, graceMs: 1, onListening });
  expect(onListening.mock.calls).toEqual([[expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/)]]);
});
