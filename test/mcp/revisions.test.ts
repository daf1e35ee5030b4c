import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/mcp/index.js';
import { startHttpServer } from '../../test-support/servers/http.js';
import { stdioServer } from '../../test-support/servers/stdio.js';
import { failureOf, toolNamed } from './calling.js';
import { temporaryFolder } from './temporary-folder.js';

describe.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
  'a server that only knows revision %s',
  (protocolVersion) => {
    test('is spoken to in it', async () => {
      const server = await startHttpServer((exchange) =>
        exchange.message.method === 'initialize'
          ? exchange.result({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } })
          : exchange.plain(),
      );
      await using session = await connect({ url: server.url });
      expect(session.protocolVersion).toBe(protocolVersion);
      expect((await session.listTools()).tools).toHaveLength(1);
      await server.close();
    });
  },
);

describe('a stdio server that only knows revision 2026-07-28', () => {
  test('is found out in the same process', async () => {
    const log = join(temporaryFolder(onTestFinished), 'log.txt');
    await using session = await connect(stdioServer('knows only discovery', log));
    expect(session).toMatchObject({ protocolVersion: '2026-07-28', serverInfo: { name: 'modern' } });
    expect(readFileSync(log, 'utf8').trim().split('\n')).toHaveLength(1);
  });

  test('may send what its own revision forbids: results without a type, odd tools, unknown content', async () => {
    await using session = await connect(stdioServer('knows only discovery'));
    const { tools } = await session.listTools();
    expect(JSON.stringify(tools[0]!.definition)).toBe(
      '{"description":null,"name":"odd","x-unknown":1,"inputSchema":{"type":"object"}}',
    );
    expect(await session.callTool(tools[0]!, {})).toMatchObject({
      content: [{ type: 'hologram', size: 1 }],
      structuredContent: [1],
    });
  });

  test('that wants to ask the user gives an error that says so', async () => {
    await using session = await connect(stdioServer('knows only discovery'));
    expect(await failureOf(session.callTool(toolNamed('odd'), { ask: 'user' }))).toMatchObject({
      code: 'INPUT_REQUIRED',
      wanted: ['elicitation/create'],
      message: expect.stringContaining('elicitation/create'),
    });
  });

  test('that wants its state back gets it, with the same arguments', async () => {
    await using session = await connect(stdioServer('knows only discovery'));
    expect((await session.callTool(toolNamed('odd'), { ask: 'state' })).structuredContent).toEqual({
      ask: 'state',
      requestState: 'opaque',
    });
  });
});

describe('a stdio server that exits when anything comes before initialize', () => {
  test('lives, because nothing does', async () => {
    await using session = await connect(stdioServer('exits before initialize'));
    expect((await session.listTools()).tools.map(({ name }) => name)).toEqual([
      'echo',
      'environment',
      'hang',
      'progress',
    ]);
  });
});

describe('a server that refuses the revision that it is offered, and names others,', () => {
  const refusal = {
    code: -32602,
    message: 'Unsupported protocol version',
    data: { supported: ['1999-01-01', '2024-11-05', '2025-03-26'], requested: '2025-11-25' },
  };

  test.each([
    ['200', 200],
    ['400', 400],
  ])('is offered the newest of them that is known, over HTTP with status %s', async (_, status) => {
    const offered: unknown[] = [];
    const server = await startHttpServer((exchange) => {
      const { id, method, params } = exchange.message;
      if (method !== 'initialize') {
        exchange.plain();
        return;
      }
      offered.push(params!['protocolVersion']);
      if (params!['protocolVersion'] === '2025-03-26') {
        exchange.plain();
        return;
      }
      exchange.response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, error: refusal }));
    });
    await using session = await connect({ url: server.url });
    expect(session.protocolVersion).toBe('2025-03-26');
    expect((await session.listTools()).tools).toHaveLength(1);
    expect(offered).toEqual(['2025-11-25', '2025-03-26']);
    await server.close();
  });

  test('is offered it in the same process, over stdio', async () => {
    await using session = await connect(stdioServer('knows only 2024-11-05'));
    expect(session.protocolVersion).toBe('2024-11-05');
    expect((await session.listTools()).tools.map(({ name }) => name)).toEqual([
      'echo',
      'environment',
      'hang',
      'progress',
    ]);
  });
});

describe('a server that speaks no known revision', () => {
  test('gives an error that says so', async () => {
    const server = await startHttpServer((exchange) =>
      exchange.message.method === 'initialize'
        ? exchange.result({
            protocolVersion: '1999-01-01',
            capabilities: {},
            serverInfo: { name: 'old', version: '1' },
          })
        : exchange.status(400),
    );
    expect(await failureOf(connect({ url: server.url }))).toMatchObject({
      code: 'UNSUPPORTED_PROTOCOL_VERSION',
      message: expect.stringContaining('1999-01-01'),
    });
    await server.close();
  });
});
