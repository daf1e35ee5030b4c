import { request } from 'node:http';
import { expect, test } from 'vitest';
import { codes } from '../../src/serve/errors.js';
import { admit, hasToken, type Access } from '../../src/serve/http/access.js';
import { messageIn } from '../../src/serve/message-size.js';
import { headerProblem } from '../../src/serve/revisions.js';
import { cli } from '../cli/run.js';
import { echoing, envelope, inFrontOverHttp, scripted } from './in-front.js';
import { begun, callOf, post } from './raw-clients.js';

const [script = ''] = echoing.args;

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

test.each([
  ['agree', '2026-07-28', '=?base64?w6Q=?=', undefined],
  ['name another tool', '2026-07-28', 'other', codes.headerMismatch],
  ['lack its name', '2026-07-28', undefined, codes.headerMismatch],
  ['are of a revision that is not served', '2027-01-01', '=?base64?w6Q=?=', codes.unsupportedRevision],
])('A request of 2026-07-28 is accepted or rejected by its headers: they %s', (_, revision, name, code) => {
  const params = JSON.stringify({ name: 'ä', ...envelope() }).replaceAll('2026-07-28', revision);
  const message = messageIn(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`);
  if (message.kind !== 'request') throw new Error('It is a request.');
  const named = { 'mcp-protocol-version': revision, 'mcp-method': 'tools/call', ...(name && { 'mcp-name': name }) };
  const problem = headerProblem(message, named);
  expect(problem?.code).toBe(code);
  if (code === codes.unsupportedRevision)
    expect(problem?.more.data).toBe('{"supported":["2026-07-28"],"requested":"2027-01-01"}');
});

test.each([
  [['--port', '0', '--host', '0.0.0.0'], 'a token is needed'],
  [['--token', 'x'], '--token only works with --port'],
  [['--port', '70000'], '--port takes a number'],
  [['--provider', 'nobody'], '--provider takes one of'],
  [['--api', 'responses'], '--api only works with --provider'],
  [['--port', '0', '--token', 'on-the-line'], 'Others can read a command line'],
  [['--port', '0', '--token', '@/nowhere/token'], '/nowhere/token cannot be read'],
  [['--port', '0', '--token', `@${script}`, '--token', `@${script}`], '--token can be given once'],
  [['--port', '0', '--allow-origin', 'https://app.example/page'], '--allow-origin takes an origin'],
  [['--allow-origin', 'https://app.example'], '--allow-origin only works with --port'],
  [['--port', '0', '--max-sessions', '0'], '--max-sessions takes a number of at least 1'],
  [['--port', '0', '--idle', 'x'], '--idle takes seconds'],
  [['--tool-search', 'some'], '--tool-search takes one of off, on, auto'],
  [['--fixed', 'search=secret'], '--fixed takes TOOL.ARGUMENT=VALUE; it was "search…".'],
  [['--max-result-length', '0'], '--max-result-length takes a number of at least 200'],
])('The line "serve %j" is refused', async (options, why) => {
  const { code, stderr } = await cli(['serve', ...options, '--', 'node', script]);
  expect(code).toBe(2);
  expect(stderr).toContain(why);
});

test('serve over HTTP ends with the reason if none of its programs starts', async () => {
  const { code, stderr } = await cli(['serve', '--port', '0', '--', '/nowhere/nosuch']);
  expect(code).toBe(4);
  expect(stderr).toContain('The command "/nowhere/nosuch" was not found.');
});

test('A request over HTTP whose header alone names 2026-07-28 gets an error about what it lacks', async () => {
  await using gateway = await inFrontOverHttp(echoing);
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
  const refused = await post(gateway.url, { id: 1, method: 'tools/list', params: {} }, headers);
  expect(await refused.text()).toContain('Invalid params: the request has no _meta.');
});

test('A message over HTTP that is too long or not JSON is refused', async () => {
  await using gateway = await inFrontOverHttp(echoing);
  expect((await post(gateway.url, '{')).status).toBe(400);
  const headers = { 'content-type': 'application/json' };
  const sent = request(gateway.url, { method: 'POST', headers }).on('error', () => {});
  for (let megabytes = 0; megabytes < 9; megabytes++) sent.write(' '.repeat(1024 * 1024));
  expect(await new Promise((resolve) => sent.on('response', resolve))).toMatchObject({ statusCode: 413 });
});

test('A stream over HTTP is taken up again by another one, which has all that was sent and what comes later', async () => {
  const results = "'tools/list': { tools: [{ name: 'do', inputSchema: { type: 'object' } }] }, 'tools/call': {},";
  const change = "if (method === 'tools/call') print({ method: 'notifications/tools/list_changed' });";
  await using gateway = await inFrontOverHttp(scripted(results, change, 'tools: { listChanged: true }'));
  const { send, listen, end } = await begun(gateway.url);
  await send({ method: 'notifications/initialized' });
  const changed = async (id: number) => (await send(callOf('do', id))).text();
  const changesIn = async (stream: Response) => (await stream.text()).match(/list_changed/g);
  const first = await listen();
  expect((await listen()).status).toBe(409);
  await changed(1);
  const again = await listen('0');
  expect(await changesIn(first)).toHaveLength(1);
  await changed(2);
  await end();
  expect(await changesIn(again)).toHaveLength(2);
});
