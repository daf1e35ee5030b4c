import { expect, test, vi } from 'vitest';
import { startRawServer } from '../../test-support/servers/raw-server.js';
import { McpVerbatimTool } from '../../nodes/McpVerbatimTool/McpVerbatimTool.node.js';
import { atUrl, execution } from './context.js';

// An n8n whose AI nodes cannot be found from any program or package.
vi.mock('../../nodes/host/modules.js', () => ({ hostModule: () => undefined }));

test('An n8n without its AI packages gets an error with their names, the searched places and the remedy', async () => {
  await using server = await startRawServer((method) =>
    method === 'tools/list' ? { result: '{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}' } : undefined,
  );
  const run = execution({ type: new McpVerbatimTool(), credentials: atUrl(server.url) });
  const failed: unknown = await new McpVerbatimTool().supplyData.call(run.supply(), 0).catch((error: unknown) => error);
  const places =
    /zod and @langchain\/core of the package @n8n\/n8n-nodes-langchain.*looked for from .*NODE_PATH.*Reinstall n8n/;
  const read = { message: "n8n's AI packages were not found", description: expect.stringMatching(places) as string };
  expect(failed).toMatchObject(read);
  // The node's panel shows the message.
  expect(run.recorded.at(-1)).toMatchObject(read);
});
