import { describe, expect, test } from 'vitest';
import { asked, everything, greeted, handshake, inFront, program } from './in-front.js';

/** A server that asks for roots, and logs, as soon as it is greeted. */
const eager = `
  const print = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
  require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params, result } = JSON.parse(line);
    const log = (data) => print({ method: 'notifications/message', params: { level: 'info', data } });
    if (method === 'initialize') {
      log('early');
      print({ id, result: { protocolVersion: params.protocolVersion, capabilities: { logging: {}, resources: { subscribe: true } }, serverInfo: { name: params.clientInfo.name, version: '1' } } });
    } else if (method === 'notifications/initialized') print({ id: 'r', method: 'roots/list', params: {} });
    else if (method === 'notifications/roots/list_changed') log('roots changed');
    else if (id !== undefined && method) { log(method); print({ id, result: {} }); }
    else if (result) log(result.roots.length);
  });`;
const server = program('-e', eager);

const logged = (data: unknown) => (message: Record<string, unknown>) =>
  (message['params'] as { data?: unknown } | undefined)?.data === data;

describe('A client with a handshake', () => {
  test('has to begin with it', async () => {
    await using front = inFront(server);
    expect(await asked(front, 'tools/list')).toContain('The first request has to be initialize.');
  });

  test('is known to the server by what it says of itself, and answered in the revision that it asks for', async () => {
    await using front = inFront(server);
    front.write(handshake[0]!.replace('2025-11-25', '2025-03-26'));
    const { result } = JSON.parse(await front.line(({ id }) => id === 'i')) as { result: object };
    expect(result).toMatchObject({ protocolVersion: '2025-03-26', serverInfo: { name: 'test' } });
  });

  test('is sent no question and no log before it is ready, and all of them from then on', async () => {
    await using front = inFront(server);
    front.write(handshake[0]!);
    await front.line(({ id }) => id === 'i');
    await asked(front, 'ping');
    expect(front.lines).toHaveLength(2);
    front.write(handshake[1]!);
    await front.line(logged('early'));
    const { id } = JSON.parse(await front.line(({ method }) => method === 'roots/list')) as { id: number };
    front.write(JSON.stringify({ jsonrpc: '2.0', id, result: { roots: [{ uri: 'file:///a' }] } }));
    await front.line(logged(1));
  });

  test('has its roots, its log level and its subscriptions passed to the server', async () => {
    await using front = greeted(server);
    await front.line(({ id }) => id === 'i');
    front.write('{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}');
    await front.line(logged('roots changed'));
    for (const [method, params] of [
      ['logging/setLevel', { level: 'debug' }],
      ['resources/subscribe', { uri: 'a:/1' }],
      ['resources/unsubscribe', { uri: 'a:/2' }],
    ] as const)
      expect(await asked(front, method, params)).toContain('"result":{}');
    await front.line(logged('logging/setLevel'));
    await front.line(logged('resources/subscribe'));
    expect(front.lines.some((line) => line.includes('resources/unsubscribe'))).toBe(false);
  });

  test('may subscribe to a thousand resources of a server, and to no address that is a document', async () => {
    await using front = greeted(server);
    const subscribe = (uri: string) => asked(front, 'resources/subscribe', { uri });
    expect(await subscribe(`a:/${'x'.repeat(10_000)}`)).toContain('-32602');
    for (let n = 1; n <= 1000; n++) void subscribe(`a:/${n}`);
    expect(await subscribe('a:/1001')).toContain('A client may subscribe to 1000 resources');
    expect(await subscribe('a:/1')).toContain('"result":{}');
  });
});

test.each([
  ['nothing that is an object', undefined, -32602],
  ['what nobody announces', {}, undefined],
])('A client of 2026-07-28 that listens to %s is answered at once', async (_, notifications, code) => {
  await using front = inFront(everything);
  const key = (name: string) => `io.modelcontextprotocol/${name}`;
  const _meta = { [key('protocolVersion')]: '2026-07-28', [key('clientCapabilities')]: {} };
  const answer = await asked(front, 'subscriptions/listen', { notifications, _meta });
  const { error } = JSON.parse(answer) as { error?: { code: number } };
  expect(error?.code).toBe(code);
});
