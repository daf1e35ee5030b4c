import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, test, vi } from 'vitest';
import { connect, ServerError, sessionOf, type CallConnection } from '../../../src/mcp/index.js';
import { stdioServer } from '../../../test-support/servers/stdio.js';
import type { Exchange } from '../../../test-support/servers/http.js';
import { failureOf, textOf, toolNamed } from '../calling.js';
import { given, closeAfterEach, closeLater, connected, forgetful, times } from '../serving.js';

closeAfterEach();

const tool = (description: string) => ({ name: 'echo', description, inputSchema: { type: 'object' } });

/** A server that forgets its sessions. The test may change its description of the tool. */
async function changing(answers: Parameters<typeof forgetful>[0] = {}) {
  const server = { description: 'v1' };
  const listed = ({ result }: Exchange) => result({ tools: [tool(server.description)] });
  return Object.assign(server, await forgetful({ 'tools/list': listed, ...answers }));
}

const descriptionOn = async (connection: CallConnection) =>
  (await connection.listTools()).find('echo')?.definition['description'];

describe('the function before each sending', () => {
  test('The function before each sending is called again if another call replaces the connection meanwhile', async () => {
    const given = await changing();
    const session = await connected(given.server);
    await session.listTools();
    const seen: unknown[] = [];
    const beforeSending = async (connection: CallConnection) => {
      seen.push(await descriptionOn(connection));
      if (seen.length > 1) return;
      given.forget();
      given.description = 'v2';
      await session.callTool(toolNamed('echo'), {});
    };
    expect(textOf(await session.callTool(toolNamed('echo'), { a: 1 }, { beforeSending }))).toBe('{"a":1}');
    expect(seen).toEqual(['v1', 'v2']);
    const sessions = given.server.seen
      .filter(({ message }) => message.method === 'tools/call')
      .map(({ headers }) => headers['mcp-session-id']);
    expect(sessions).toEqual(['s1', 's3', 's3']);
  });

  test('The function before each sending is called again if its own list replaces the connection', async () => {
    const given = await changing();
    const session = await connected(given.server);
    given.forget();
    const seen: unknown[] = [];
    const beforeSending = async (connection: CallConnection) => void seen.push(await descriptionOn(connection));
    await session.callTool(toolNamed('echo'), {}, { beforeSending });
    expect(seen).toEqual(['v1', 'v1']);
    expect(times(given.server, 'tools/call')).toBe(1);
  });

  test('The function before each sending is called a limited number of times for a server that forgets every session', async () => {
    const given = await changing();
    const session = await connected(given.server);
    const beforeSending = async (connection: CallConnection) => {
      session.forgetTools();
      given.forget();
      await connection.listTools();
    };
    const failure = await failureOf(session.callTool(toolNamed('echo'), {}, { beforeSending }));
    const message = 'The server forgot its session again and again before tools/call was done.';
    expect(failure).toMatchObject({ code: 'CONNECTION_FAILED', outcomeUnknown: false, message });
    expect([times(given.server, 'tools/call'), times(given.server, 'initialize')]).toEqual([0, 7]);
  });

  test('The function before each sending is not waited for once the caller cancels', async () => {
    const { server } = await changing();
    const session = await connected(server);
    const cancel = new AbortController();
    const beforeSending = () => {
      cancel.abort();
      return new Promise<void>(() => {});
    };
    const failure = await failureOf(session.callTool(toolNamed('echo'), {}, { beforeSending, signal: cancel.signal }));
    expect(failure).toMatchObject({ code: 'CANCELLED', outcomeUnknown: false });
    expect(times(server, 'tools/call')).toBe(0);
  });

  test('The function before each sending has a list within the time limit of the call', async () => {
    const { server } = await changing({ 'tools/list': () => {} });
    const session = await connected(server);
    const beforeSending = (connection: CallConnection) => connection.listTools().then(() => undefined);
    const options = { beforeSending, idleTimeoutMs: 50 };
    await expect(session.callTool(toolNamed('echo'), {}, options)).rejects.toThrow('within 50 ms');
  });

  test('The function before each sending is called again for a call whose response was lost', async () => {
    let calls = 0;
    const { server } = await changing({
      'tools/call': ({ response, result }) => (++calls === 1 ? response.destroy() : result({ content: [] })),
    });
    const session = await connected(server);
    const beforeSending = vi.fn(() => Promise.resolve());
    const readOnly = { ...toolNamed('echo'), annotations: { readOnlyHint: true } };
    await session.callTool(readOnly, {}, { beforeSending });
    expect([calls, beforeSending.mock.calls.length]).toEqual([2, 2]);
  });
});

test('A process that ends while its tools are listed before a call gets no call, and the error is its end', async () => {
  const session = await connect(stdioServer('dies on list'));
  closeLater(session);
  const beforeSending = async (connection: CallConnection) => {
    await connection.listTools();
  };
  const failure = await failureOf(session.callTool(toolNamed('echo'), {}, { beforeSending }));
  expect(failure).toMatchObject({ code: 'SERVER_EXITED', exitCode: 5, outcomeUnknown: false });
});

describe('the function before each sending, without sessions (2026-07-28)', () => {
  const discovered = ({ result }: Exchange) =>
    result({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} } });
  const inputSchema = (header: string) => ({ properties: { region: { type: 'string', 'x-mcp-header': header } } });

  test('The function before each sending, without sessions, sees the tools that are listed after a header mismatch', async () => {
    let header = 'Old';
    const server = await given({
      'server/discover': discovered,
      'tools/list': ({ result }) => result({ tools: [{ name: 'echo', inputSchema: inputSchema(header) }] }),
      'tools/call': ({ headers, message, json, result }) =>
        headers['mcp-param-new'] === undefined
          ? json({ jsonrpc: '2.0', id: message.id, error: { code: -32020, message: 'mismatch' } })
          : result({ content: [] }),
    });
    const session = await connected(server, { revisions: 'stateless-first' });
    const known = (await session.listTools()).find('echo')!;
    header = 'New';
    const seen: unknown[] = [];
    const beforeSending = async (connection: CallConnection) =>
      void seen.push((await connection.listTools()).find('echo')?.inputSchema);
    await session.callTool(known, { region: 'eu' }, { beforeSending });
    expect(seen).toEqual([inputSchema('Old'), inputSchema('New')]);
  });

  test('A call is not sent if the function before each sending throws an error like a header mismatch', async () => {
    const server = await given({ 'server/discover': discovered });
    const session = await connected(server, { revisions: 'stateless-first' });
    const refusal = new ServerError('refused', -32020, undefined);
    const beforeSending = vi.fn(() => Promise.reject(refusal));
    expect(await failureOf(session.callTool(toolNamed('echo'), {}, { beforeSending }))).toBe(refusal);
    expect(beforeSending).toHaveBeenCalledOnce();
    expect(times(server, 'tools/call')).toBe(0);
  });
});

describe('the function before each sending, behind a client of the MCP SDK', () => {
  async function clientOf(url: string) {
    const client = new Client({ name: 'test', version: '1' });
    const reconnect = () => client.connect(new StreamableHTTPClientTransport(new URL(url)));
    await reconnect();
    closeLater(client);
    return { client, reconnect };
  }

  test('The function before each sending, behind a client of the SDK, lists the tools from memory until the client is connected again', async () => {
    const given = await changing();
    const { client, reconnect } = await clientOf(given.server.url);
    const session = sessionOf(client);
    await session.listTools();
    const seen: unknown[] = [];
    const beforeSending = async (connection: CallConnection) => void seen.push(await descriptionOn(connection));
    await session.callTool(toolNamed('echo'), {}, { beforeSending });
    expect(times(given.server, 'tools/list')).toBe(1);
    given.description = 'v2';
    await client.close();
    await reconnect();
    await session.callTool(toolNamed('echo'), {}, { beforeSending });
    expect(seen).toEqual(['v1', 'v2']);
  });

  test('The function before each sending, behind a client of the SDK, is called again if the client is connected again meanwhile', async () => {
    const given = await changing();
    const { client, reconnect } = await clientOf(given.server.url);
    const session = sessionOf(client);
    const refusal = new Error('changed');
    const beforeSending = async (connection: CallConnection) => {
      if ((await descriptionOn(connection)) === 'v2') throw refusal;
      given.description = 'v2';
      await client.close();
      await reconnect();
    };
    expect(await failureOf(session.callTool(toolNamed('echo'), {}, { beforeSending }))).toBe(refusal);
    expect(times(given.server, 'tools/call')).toBe(0);
  });
});
