import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, test } from 'vitest';
import type { ServerAddress } from '../../src/internal.js';
import { handshake, inFrontOverHttp } from './in-front.js';
import { cli } from '../cli/run.js';
import { admit } from '../../src/serve/http/access.js';

const echoing = fileURLToPath(new URL('./echoing.mjs', import.meta.url));
const everything = fileURLToPath(new URL('../conformance/mcp/everything.mjs', import.meta.url));

const echoingServer = { transport: 'stdio' as const, command: process.execPath, args: [echoing] };

describe('a request is turned away', () => {
  const guarded = { host: '127.0.0.1', tokens: [], origins: ['https://app.example'] };
  const open = { ...guarded, host: '0.0.0.0', tokens: [{ name: 'one', value: 'secret-token' }] };
  test.each([
    ['none from this machine', guarded, { host: '127.0.0.1:3100' }, undefined],
    [
      'none from a page of this machine',
      guarded,
      { host: 'localhost:3100', origin: 'http://localhost:8080' },
      undefined,
    ],
    ['none from a page that is named', guarded, { host: 'localhost', origin: 'https://app.example' }, undefined],
    ['another scheme of that page', guarded, { host: 'localhost', origin: 'http://app.example' }, 403],
    ['another name that leads here', guarded, { host: 'evil.example:3100' }, 403],
    ['no name at all', guarded, {}, 403],
    ['a page from elsewhere', guarded, { host: 'localhost', origin: 'https://evil.example' }, 403],
    ['a page without an origin', guarded, { host: 'localhost', origin: 'null' }, 403],
    ['no token', open, { host: '192.0.2.1:3100' }, 401],
    ['another token', open, { host: '192.0.2.1', authorization: 'Bearer secret-tokem' }, 401],
    ['none with the token', open, { host: '192.0.2.1', authorization: 'Bearer secret-token' }, undefined],
    ['the scheme in lower case', open, { host: '192.0.2.1', authorization: 'bearer secret-token' }, undefined],
    ['the token in another case', open, { host: '192.0.2.1', authorization: 'Bearer SECRET-TOKEN' }, 401],
    [
      'a name that is not this machine, even with the token',
      open,
      { host: 'evil.example', authorization: 'Bearer secret-token' },
      403,
    ],
    [
      'a page from elsewhere, even with the token',
      open,
      { host: '192.0.2.1', origin: 'https://evil.example', authorization: 'Bearer secret-token' },
      403,
    ],
  ])('%s', (_what, door, headers, status) => {
    const admitted = () => admit(headers, door);
    if (status === undefined) expect(admitted).not.toThrow();
    else expect(admitted).toThrow(expect.objectContaining({ status }));
  });

  test('another path', async () => {
    await using gateway = await serving(echoing);
    expect((await fetch(new URL('/', gateway.url))).status).toBe(404);
  });
});

test.each([
  [['--port', '0', '--host', '0.0.0.0'], 'a token is needed'],
  [['--token', 'x'], '--token only works with --port'],
  [['--port', '70000'], '--port takes a number'],
  [['--provider', 'nobody'], '--provider takes one of'],
  [['--port', '0', '--token', 'on-the-line'], 'Others can read a command line'],
  [['--port', '0', '--token', 'alice=on-the-line'], 'Others can read a command line'],
  [['--port', '0', '--token', 'alice=@/nowhere/token'], '/nowhere/token cannot be read'],
  [['--port', '0', '--token', `a=@${echoing}`, '--token', `b=@${echoing}`], `The token "a" is another's as well.`],
  [['--port', '0', '--allow-origin', 'https://app.example/page'], '--allow-origin takes an origin'],
  [['--allow-origin', 'https://app.example'], '--allow-origin only works with --port'],
  [['--port', '0', '--max-sessions', '0'], '--max-sessions takes a number above 0'],
  [['--port', '0', '--idle', 'x'], '--idle takes seconds'],
  [['--tool-search', 'some'], '--tool-search takes one of off, on, auto'],
  [['--fixed', 'search=secret'], '--fixed takes TOOL.ARGUMENT=VALUE; it was "search…".'],
  [['--max-result-length', '0'], '--max-result-length takes a number'],
])('serve %j is refused', async (options, why) => {
  const { code, stderr } = await cli(['serve', ...options, '--', 'node', echoing]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(why) });
});

test('serve over HTTP ends with the reason where none of its programs starts', async () => {
  const { code, stderr } = await cli(['serve', '--port', '0', '--', '/nowhere/nosuch']);
  expect({ code, stderr }).toEqual({
    code: 4,
    stderr: expect.stringContaining('The command "/nowhere/nosuch" was not found.') as string,
  });
});

describe('over HTTP', () => {
  test('each client has a session, whose server ends with it', async () => {
    await using gateway = await serving(echoing);
    const client = new ClientV1({ name: 'one', version: '1' });
    const transport = new TransportV1(new URL(gateway.url));
    await client.connect(transport);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('echo');
    await transport.terminateSession();
    const gone = await fetch(gateway.url, {
      method: 'POST',
      headers: {
        'mcp-session-id': transport.sessionId ?? 'gone',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    });
    expect(gone.status).toBe(404);
  });

  // Each revision in front of each behind; what one asks in the middle of a call, the other asks in its own way.
  test.each([
    ['2026-07-28', 'handshake', 'test_elicitation'],
    ['2025-11-25', 'latest', 'test_input_required_result_elicitation'],
    ['2026-07-28', 'latest', 'test_input_required_result_elicitation'],
    ['2025-11-25', 'handshake', 'test_elicitation'],
  ])('a client of %s is asked what a server of another kind (%s) wants to know', async (revision, behind, tool) => {
    await using gateway = await serving(everything, 'stdio', behind);
    const client = new Client(
      { name: 'one', version: '1' },
      {
        capabilities: { elicitation: {} },
        versionNegotiation: { mode: revision === '2026-07-28' ? 'auto' : 'legacy' },
      },
    );
    const asked: string[] = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { name: 'Ada', username: 'ada', email: 'a@b.example' } };
    });
    await client.connect(new StreamableHTTPClientTransport(new URL(gateway.url)));
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    const { content } = await client.callTool({
      name: tool,
      arguments: tool === 'test_elicitation' ? { message: 'Who?' } : {},
    });
    expect(asked).toHaveLength(1);
    expect(JSON.stringify(content)).toMatch(/Hello, Ada!|ada/);
    await client.close();
  });

  test('who comes when all sessions are busy is turned away; one that only listens makes room', async () => {
    await using gateway = await inFrontOverHttp({ server: echoingServer }, { maxSessions: 2 });
    const open = async () => {
      const opened = await post(gateway.url, handshake[0]!);
      await opened.text();
      return { status: opened.status, session: { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' } };
    };
    const hang = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hang"}}';
    const busy = await open();
    const stop = new AbortController();
    const headers = {
      ...busy.session,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    await fetch(gateway.url, { method: 'POST', headers, body: hang, signal: stop.signal });
    const listening = await open();
    await fetch(gateway.url, { headers: { ...listening.session, accept: 'text/event-stream' }, signal: stop.signal });
    const third = await open();
    expect(third.status).toBe(200);
    expect((await post(gateway.url, '{"jsonrpc":"2.0","id":2,"method":"ping"}', listening.session)).status).toBe(404);
    await post(gateway.url, hang, third.session);
    expect((await open()).status).toBe(503);
    await fetch(gateway.url, { method: 'DELETE', headers: busy.session });
    expect((await open()).status).toBe(200);
    stop.abort();
  });

  test('a message that is too long, or no JSON, is refused', async () => {
    await using gateway = await serving(echoing);
    expect((await post(gateway.url, '{')).status).toBe(400);
    const long = await new Promise<number | undefined>((resolve) => {
      const sent = request(
        gateway.url,
        { method: 'POST', headers: { 'content-type': 'application/json' } },
        ({ statusCode }) => {
          resolve(statusCode);
        },
      ).on('error', () => {});
      for (let i = 0; i < 34; i++) sent.write(' '.repeat(1024 * 1024));
    });
    expect(long).toBe(413);
  });
});

function post(url: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  const types = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return fetch(url, { method: 'POST', headers: { ...types, ...headers }, body });
}

function serving(...args: string[]) {
  return servingAt({ transport: 'stdio', command: process.execPath, args });
}

function servingAt(address: ServerAddress) {
  return inFrontOverHttp({ server: address });
}

test('a first call is checked before any list was asked for, in every revision', async () => {
  await using gateway = await serving(everything, 'stdio', 'latest');
  const client = new Client({ name: 'one', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(gateway.url)));
  const { isError, content } = await client.callTool({ name: 'json_schema_2020_12_tool', arguments: { other: 1 } });
  expect(isError).toBe(true);
  expect(JSON.stringify(content)).toContain('The tool was not called');
  await client.close();
});

describe('a page elsewhere that is named', () => {
  const origin = 'https://app.example';

  test('may ask, and its scripts may read the answer', async () => {
    await using gateway = await inFrontOverHttp({ server: echoingServer }, { origins: [origin] });
    const asked = await fetch(gateway.url, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'mcp-param-a' },
    });
    expect([asked.status, asked.headers.get('access-control-allow-headers')]).toEqual([204, 'mcp-param-a']);
    const opened = await post(gateway.url, handshake[0]!, { origin });
    expect(opened.status).toBe(200);
    expect(opened.headers.get('access-control-allow-origin')).toBe(origin);
    expect(opened.headers.get('access-control-expose-headers')).toContain('mcp-session-id');
  });

  test('can read what is wrong, and any other page nothing', async () => {
    const tokens = [{ name: 'one', value: 'the-token' }];
    await using gateway = await inFrontOverHttp({ server: echoingServer }, { origins: [origin], tokens });
    const refused = await post(gateway.url, handshake[0]!, { origin });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, origin]);
    const other = await post(gateway.url, handshake[0]!, { origin: 'https://evil.example' });
    expect([other.status, other.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    const asked = await fetch(gateway.url, { method: 'OPTIONS', headers: { origin: 'https://evil.example' } });
    expect(asked.status).toBe(403);
  });
});
