import type { INode } from 'n8n-workflow';
import { expect, test, vi } from 'vitest';
import { McpVerbatimTool } from '../../nodes/McpVerbatimTool/McpVerbatimTool.node.js';
import { startRawServer } from '../hosts/n8n/raw-server.js';
import { atUrl, execution } from './context.js';

const { host } = vi.hoisted(() => ({ host: { version: '' } }));
vi.mock('../../nodes/host/modules.js', () => ({ hostModule: () => host }));

const properties = { n: { type: 'integer' } };
const tools = [{ name: 'count', inputSchema: { type: 'object', properties } }];

/** What becomes of the calls of an agent, in an n8n of this version. */
async function called(version: string, settings: Partial<INode> = {}, toolName = 'count') {
  host.version = version;
  await using server = await startRawServer((method) =>
    method === 'tools/list' ? { result: JSON.stringify({ tools }) } : undefined,
  );
  const run = execution({ type: new McpVerbatimTool(), credentials: atUrl(server.url), settings });
  return (await run.output([run.request({ n: 'many' }, { toolName })]))[0]?.json;
}

// n8n marks the error on the canvas and sends the model its message, if it goes on after errors.
test.each([['2.41.0'], ['3.0.0']])(
  'n8n %s: arguments that do not fit are an error, which the model reads',
  async (n8n) => {
    await expect(called(n8n)).rejects.toThrow('/n: must be integer');
    expect(await called(n8n, { onError: 'continueRegularOutput' })).toHaveProperty('error');
  },
);

test.each<[n8n: string, settings: Partial<INode>]>([
  ['2.40.1', {}],
  ['1.123.4', {}],
  ['2.41.0', { retryOnFail: true }],
  ['2.41.0', { onError: 'stopWorkflow' }],
])('n8n %s with %j would not go on after an error: they are an answer', async (n8n, settings) => {
  const response = expect.stringContaining('/n: must be integer') as string;
  expect(await called(n8n, settings)).toEqual({ response, isError: true });
});

test('a tool that there is not is an error that names those there are', async () => {
  await expect(called('2.41.0', {}, 'gone')).rejects.toThrow(/There is no tool "gone"\s.*count/);
});
