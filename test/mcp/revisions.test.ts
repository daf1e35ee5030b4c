import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/mcp/index.js';
import { stdioServer } from '../../test-support/servers/stdio.js';
import { closeAfterEach, connected, given } from './serving.js';
import { temporaryFolder } from './temporary-folder.js';

closeAfterEach();

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
  'A server that only knows revision %s is spoken to in that revision',
  async (protocolVersion) => {
    const server = await given({ initialize: { protocolVersion, capabilities: { tools: {} } } });
    const session = await connected(server);
    expect(session.protocolVersion).toBe(protocolVersion);
    expect((await session.listTools()).tools).toHaveLength(1);
  },
);

test('A stdio server that only knows 2026-07-28 is recognised in the same process', async () => {
  const log = join(temporaryFolder(onTestFinished), 'log.txt');
  await using session = await connect(stdioServer('knows only discovery', log));
  expect(session).toMatchObject({ protocolVersion: '2026-07-28', serverInfo: { name: 'modern' } });
  expect(readFileSync(log, 'utf8').trim().split('\n')).toHaveLength(1);
});

test('A stdio server of 2026-07-28 may send what its own revision forbids: results without a type, odd tools, unknown content', async () => {
  await using session = await connect(stdioServer('knows only discovery'));
  const { tools } = await session.listTools();
  const definition = '{"description":null,"name":"odd","x-unknown":1,"inputSchema":{"type":"object"}}';
  expect(JSON.stringify(tools[0]!.definition)).toBe(definition);
  const result = await session.callTool(tools[0]!, {});
  expect(result).toMatchObject({ content: [{ type: 'hologram', size: 1 }], structuredContent: [1] });
});

test('A stdio server that exits on a message before initialize gets no such message', async () => {
  await using session = await connect(stdioServer('exits before initialize'));
  expect((await session.listTools()).tools.map(({ name }) => name)).toContain('echo');
});

describe('a server that rejects the offered revision', () => {
  const data = { supported: ['1999-01-01', '2024-11-05', '2025-03-26'], requested: '2025-11-25' };
  const refusal = { code: -32602, message: 'Unsupported protocol version', data };

  test.each([200, 400])(
    'Over HTTP with status %s, a server that rejects the offered revision is offered the newest known one that it names',
    async (status) => {
      const offered: unknown[] = [];
      const server = await given(({ message: { id, method, params }, plain, status: answer }) => {
        if (method === 'initialize') offered.push(params!['protocolVersion']);
        const body = JSON.stringify({ jsonrpc: '2.0', id, error: refusal });
        if (offered.length !== 1) plain();
        else answer(status, body, { 'content-type': 'application/json' });
      });
      const session = await connected(server);
      expect(session.protocolVersion).toBe('2025-03-26');
      expect((await session.listTools()).tools).toHaveLength(1);
      expect(offered).toEqual(['2025-11-25', '2025-03-26']);
    },
  );

  test('Over stdio, a server that rejects the offered revision is offered another in the same process', async () => {
    await using session = await connect(stdioServer('knows only 2024-11-05'));
    expect(session.protocolVersion).toBe('2024-11-05');
    expect((await session.listTools()).tools.map(({ name }) => name)).toContain('echo');
  });
});
