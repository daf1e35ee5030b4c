import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { greeted, handshake, inFront } from './in-front.js';

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
const server = { transport: 'stdio' as const, command: process.execPath, args: ['-e', eager] };
const everything = fileURLToPath(new URL('../conformance/mcp/everything.mjs', import.meta.url));

const logged = (data: unknown) => (message: Record<string, unknown>) =>
  (message['params'] as { data?: unknown } | undefined)?.data === data;

describe('A client with a handshake', () => {
  test('has to begin with it', async () => {
    await using front = inFront(server);
    front.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
    expect(await front.line(({ id }) => id === 1)).toContain('The first request has to be initialize.');
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
    front.write('{"jsonrpc":"2.0","id":"p","method":"ping"}');
    await front.line(({ id }) => id === 'p');
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
    front.write('{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"debug"}}');
    front.write('{"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"a:/1"}}');
    front.write('{"jsonrpc":"2.0","id":3,"method":"resources/unsubscribe","params":{"uri":"a:/2"}}');
    for (const each of [1, 2, 3]) expect(await front.line(({ id }) => id === each)).toContain('"result":{}');
    await front.line(logged('logging/setLevel'));
    await front.line(logged('resources/subscribe'));
    expect(front.lines.some((line) => line.includes('resources/unsubscribe'))).toBe(false);
  });

  test('may subscribe to a thousand resources of a server, and to no address that is a document', async () => {
    await using front = greeted(server);
    const subscribe = (id: number, uri: string) => {
      front.write(JSON.stringify({ jsonrpc: '2.0', id, method: 'resources/subscribe', params: { uri } }));
      return front.line((message) => message['id'] === id && message['method'] === undefined);
    };
    expect(await subscribe(5000, `a:/${'x'.repeat(10_000)}`)).toContain('-32602');
    for (let n = 1; n <= 1000; n++) void subscribe(n, `a:/${n}`);
    expect(await subscribe(1001, 'a:/1001')).toContain('A client may subscribe to 1000 resources');
    expect(await subscribe(1002, 'a:/1')).toContain('"result":{}');
  });
});

test.each([
  ['nothing that is an object', undefined, -32602],
  ['what nobody announces', {}, undefined],
])('A client of 2026-07-28 that listens to %s is answered at once', async (_, notifications, code) => {
  await using front = inFront({ transport: 'stdio', command: process.execPath, args: [everything, 'stdio'] });
  const key = (name: string) => `io.modelcontextprotocol/${name}`;
  const _meta = { [key('protocolVersion')]: '2026-07-28', [key('clientCapabilities')]: {} };
  front.write(
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: { notifications, _meta } }),
  );
  const { error } = JSON.parse(await front.line(({ id }) => id === 1)) as { error?: { code: number } };
  expect(error?.code).toBe(code);
});
