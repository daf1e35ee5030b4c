import { request } from 'node:http';
import { expect, test } from 'vitest';
import { admit, hasToken, type Access } from '../../src/serve/http/access.js';
import { cli } from '../cli/run.js';
import { startHttpServer } from '../../test-support/servers/http.js';
import { until } from '../../test-support/waiting.js';
import { echoing, envelope, inFrontOverHttp, scripted } from './in-front.js';
import { post } from './raw-clients.js';

const guarded: Access = { host: '127.0.0.1', origins: ['https://app.example'] };
const open = { ...guarded, host: '0.0.0.0', token: 'secret-token' };
const authorization = 'Bearer secret-token';
const elsewhere = 'https://evil.example';
const [admitted, unauthorized, forbidden] = ['is admitted', 'gets HTTP 401', 'gets HTTP 403'];
test.each<[what: string, outcome: string, door: Access, headers: Record<string, string>]>([
  ['to this machine', admitted, guarded, { host: '127.0.0.1:3100' }],
  ['of a page of this machine', admitted, guarded, { host: 'localhost:3100', origin: 'http://localhost:8080' }],
  ['of a page that is allowed', admitted, guarded, { host: 'localhost', origin: 'https://app.example' }],
  ['of that page by another scheme', forbidden, guarded, { host: 'localhost', origin: 'http://app.example' }],
  ['to another name of this machine', forbidden, guarded, { host: 'evil.example:3100' }],
  ['to another name after that of a user', forbidden, guarded, { host: 'evil.example@localhost' }],
  ['to this machine before another name', forbidden, guarded, { host: 'localhost#@evil.example' }],
  ['to this machine with a path', forbidden, guarded, { host: 'localhost/evil' }],
  ['without a host', forbidden, guarded, {}],
  [
    'to an address, where the name of this machine was asked for',
    forbidden,
    { ...guarded, host: 'localhost' },
    { host: '192.0.2.1' },
  ],
  ['to an address, where ::1 was asked for', forbidden, { ...guarded, host: '::1' }, { host: '192.0.2.1' }],
  ['to this machine by a number', forbidden, guarded, { host: '0x7f000001' }],
  ['to this machine by another number', forbidden, guarded, { host: '2130706433:3100' }],
  ['to this machine in IPv6', admitted, guarded, { host: '[::1]:3100' }],
  ['to this machine in upper case', admitted, guarded, { host: 'LOCALHOST' }],
  ['to a name with a percent sign', forbidden, guarded, { host: '%6cocalhost' }],
  ['of a page of this machine by a number', forbidden, guarded, { host: 'localhost', origin: 'http://0x7f000001' }],
  ['of another page', forbidden, guarded, { host: 'localhost', origin: elsewhere }],
  ['of a page without a scheme', forbidden, guarded, { host: 'localhost', origin: 'localhost' }],
  ['of a page without an origin', forbidden, guarded, { host: 'localhost', origin: 'null' }],
  ['without the token', unauthorized, open, { host: '192.0.2.1:3100' }],
  ['with another token', unauthorized, open, { host: '192.0.2.1', authorization: 'Bearer secret-tokem' }],
  ['with the token', admitted, open, { host: '192.0.2.1', authorization }],
  ['with the scheme in lower case', admitted, open, { host: '192.0.2.1', authorization: 'bearer secret-token' }],
  ['with the token and no scheme', unauthorized, open, { host: '192.0.2.1', authorization: 'secret-token' }],
  ['with the token and another scheme', unauthorized, open, { host: '192.0.2.1', authorization: 'Basic secret-token' }],
  ['with the token in upper case', unauthorized, open, { host: '192.0.2.1', authorization: 'Bearer SECRET-TOKEN' }],
  ['to another name, with the token', forbidden, open, { host: 'evil.example', authorization }],
  ['of another page, with the token', forbidden, open, { host: '192.0.2.1', origin: elsewhere, authorization }],
])('A request over HTTP %s %s', (_what, outcome, door, headers) => {
  const admission = () => admit(headers, door);
  if (outcome === forbidden)
    expect(admission).toThrow(expect.objectContaining({ more: expect.objectContaining({ status: 403 }) as object }));
  else {
    admission();
    expect(hasToken(headers, door)).toBe(outcome === admitted);
  }
});

test('serve over HTTP ends with the reason if none of its programs starts', async () => {
  const { code, stderr } = await cli(['serve', '--port', '0', '--', '/nowhere/nosuch']);
  expect(code).toBe(4);
  expect(stderr).toContain('The command "/nowhere/nosuch" was not found.');
});

test('serve over HTTP goes on if the tools of a server cannot be listed, and logs why at the start', async () => {
  const error = { code: -32601, message: 'Method not found' };
  await using server = await startHttpServer({
    'server/discover': ({ json, message: { id } }) => json({ jsonrpc: '2.0', id, error }),
    'tools/list': { tools: 5 },
  });
  await using gateway = await inFrontOverHttp({ url: server.url });
  await until(() => gateway.log.length > 2);
  const why = `The server's answer to tools/list has no list "tools"; found number there.`;
  expect(gateway.log).toEqual(['server started server=server', why, 'server ended server=server']);
  expect((await fetch(new URL('/health', gateway.url))).status).toBe(200);
});

test('A client that only listens for changes does not delay the end', async () => {
  const server = scripted('', '', 'tools: { listChanged: true }');
  let text = Promise.resolve('');
  {
    // Longer than this test may take.
    await using gateway = await inFrontOverHttp(server, { graceMs: 600_000 });
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };
    const params = { notifications: { toolsListChanged: true }, ...envelope() };
    text = (await post(gateway.url, { id: 1, method: 'subscriptions/listen', params }, headers)).text();
  }
  expect(await text).toContain('"id":1,"result":{"resultType":"complete"');
});

test('A message over HTTP that is too long or not JSON is refused', async () => {
  await using gateway = await inFrontOverHttp(echoing);
  expect((await post(gateway.url, '{')).status).toBe(400);
  const headers = { 'content-type': 'application/json' };
  const sent = request(gateway.url, { method: 'POST', headers }).on('error', () => {});
  for (let megabytes = 0; megabytes < 9; megabytes++) sent.write(' '.repeat(1024 * 1024));
  expect(await new Promise((resolve) => sent.on('response', resolve))).toMatchObject({
    statusCode: 413,
    headers: { connection: 'close' },
  });
});
