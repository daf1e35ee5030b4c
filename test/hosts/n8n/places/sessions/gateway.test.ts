import { describe, expect, test } from 'vitest';
import { useBench } from '../../harness.js';
import { verbatimTool } from '../../../../../test-support/n8n/workflows.js';
import { openGateway } from '../publish.js';
import { patience } from './scenes.js';
import { startSessionServer } from './session-server.js';

describe('the session of a node behind an MCP Server Trigger', () => {
  const bench = useBench();

  test('A session behind an MCP Server Trigger ends with the request', async () => {
    await using server = await startSessionServer();
    await using gateway = await openGateway(bench.api, [verbatimTool(await bench.httpCredential(server.url))]);
    const work = (await gateway.listTools()).find('work')!;
    await Promise.all([gateway.callTool(work, {}), gateway.callTool(work, {})]);
    expect(new Set(server.calls).size).toBe(2);
    await expect.poll(() => [...server.open], patience).toEqual([]);
  });

  test('A session behind an MCP Server Trigger is one for all requests if it is kept', async () => {
    await using server = await startSessionServer();
    const tool = verbatimTool(
      await bench.httpCredential(server.url),
      { options: { keepConnection: 60 } },
      { id: 'keeper' },
    );
    await using gateway = await openGateway(bench.api, [tool]);
    const work = (await gateway.listTools()).find('work')!;
    await Promise.all([gateway.callTool(work, {}), gateway.callTool(work, {})]);
    expect([server.begun, server.calls, [...server.open]]).toEqual([[1], [1, 1], [1]]);
  });
});
