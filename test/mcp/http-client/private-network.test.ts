import callbacks, { type LookupOptions } from 'node:dns';
import dns from 'node:dns/promises';
import { createServer } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { clientCredentials, connect } from '../../../src/mcp/index.js';
import { mayBeAsked, networkOf } from '../../../src/mcp/http-client/private-network.js';
import { closeAfterEach, given, listening } from '../serving.js';

closeAfterEach();
afterEach(() => {
  vi.restoreAllMocks();
});

test.each<[host: string, network: string | undefined]>([
  ['127.0.0.1', 'this machine'],
  ['127.255.0.9', 'this machine'],
  ['0.0.0.0', 'this machine'],
  ['localhost', 'this machine'],
  ['app.localhost.', 'this machine'],
  ['[::1]', 'this machine'],
  ['::', 'this machine'],
  ['::ffff:127.0.0.1', 'this machine'],
  ['[::ffff:7f00:1]', 'this machine'],
  ['10.1.2.3', '10.0.0.0/8'],
  ['11.0.0.0', undefined],
  ['100.63.255.255', undefined],
  ['100.64.0.0', '100.64.0.0/10'],
  ['169.254.169.254', 'link-local'],
  ['172.15.255.255', undefined],
  ['172.31.0.1', '172.16.0.0/12'],
  ['192.168.1.1', '192.168.0.0/16'],
  ['192.169.0.1', undefined],
  ['[fe80::1]', 'link-local'],
  ['fd12:3456::1', 'fc00::/7'],
  ['64:ff9b::a00:1', '64:ff9b::/96'],
  ['2001:db8::1', undefined],
  ['8.8.8.8', undefined],
  ['example.com', undefined],
  ['fd.example', undefined],
])('The address %s is in the network %s', (host, network) => {
  expect(networkOf(host)).toBe(network);
});

test.each<[host: string, own: string[], isAsked: boolean]>([
  ['example.com', ['8.8.8.8'], true],
  ['10.0.0.1', ['8.8.8.8'], false],
  ['10.0.0.1', ['10.9.9.9'], true],
  ['10.0.0.1', ['192.168.0.1'], false],
  ['127.0.0.1', ['localhost'], true],
])('The address %s, named by a server at %j, may be used: %s', (host, own, isAsked) => {
  expect(mayBeAsked(host, own)).toBe(isAsked);
});

type Looked = (error: null, address: string | readonly object[], family?: number) => void;

test("A host that resolves to this machine is not connected to for a server's metadata", async () => {
  let connections = 0;
  const port = await listening(createServer((socket) => (connections++, socket.destroy())));
  const challenge = `Bearer resource_metadata="https://named.test:${port}/metadata"`;
  const server = await given(({ status }) => status(401, '', { 'www-authenticate': challenge }));
  // The server is reached on loopback, although its name resolves elsewhere.
  const here = [{ address: '127.0.0.1', family: 4 }];
  vi.spyOn(callbacks, 'lookup').mockImplementation(((_host: string, options: LookupOptions, done: Looked) =>
    options.all ? done(null, here) : done(null, '127.0.0.1', 4)) as never);
  const lookup = async (host: string) => (host === 'named.test' ? here : [{ address: '8.8.8.8', family: 4 }]);
  vi.spyOn(dns, 'lookup').mockImplementation(lookup as never); // with `all`
  const authProvider = clientCredentials({ clientId: 'a', secret: 'secret-of-a', issuer: 'https://auth.test' });
  const url = `http://server.test:${new URL(server.origin).port}/mcp`;
  await expect(connect({ url, authProvider })).rejects.toMatchObject({ code: 'AUTHORIZATION_REQUIRED' });
  expect(connections).toBe(0);
});
