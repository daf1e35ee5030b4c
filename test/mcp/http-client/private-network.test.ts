import callbacks, { type LookupOptions } from 'node:dns';
import dns from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { clientCredentials, connect } from '../../../src/mcp/index.js';
import { mayBeAsked, networkOf } from '../../../src/mcp/http-client/private-network.js';
import { closeAfterEach, given, listening } from '../serving.js';

closeAfterEach();
afterEach(() => {
  vi.restoreAllMocks();
});

/** `null`: none. */
const { networks, near } = JSON.parse(readFileSync(new URL('./tables.json', import.meta.url), 'utf8')) as {
  networks: [host: string, network: string | null][];
  near: [host: string, own: string[], isAsked: boolean][];
};

test.each(networks)('The address %s is in the network %s', (host, network) => {
  expect(networkOf(host) ?? null).toBe(network);
});

test.each(near)('The address %s, named by a server at %j, may be used: %s', (host, own, isAsked) => {
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
  const elsewhere = { address: '8.8.8.8', family: 4 };
  const lookup = async (host: string) => (host === 'named.test' ? [elsewhere, ...here] : [elsewhere]);
  vi.spyOn(dns, 'lookup').mockImplementation(lookup as never); // with `all`
  const authProvider = clientCredentials({ clientId: 'a', secret: 'secret-of-a', issuer: 'https://auth.test' });
  const url = `http://server.test:${new URL(server.origin).port}/mcp`;
  await expect(connect({ url, authProvider })).rejects.toMatchObject({ code: 'AUTHORIZATION_REQUIRED' });
  expect(connections).toBe(0);
});
