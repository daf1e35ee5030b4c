import type { INode } from 'n8n-workflow';
import { expect, test } from 'vitest';
import { McpVerbatimTool } from '../../nodes/McpVerbatimTool/McpVerbatimTool.node.js';
import { startRawServer } from '../hosts/n8n/raw-server.js';
import { atUrl, execution } from './context.js';

const properties = { n: { type: 'integer' } };
const tools = [{ name: 'count', inputSchema: { type: 'object', properties } }];

/** What becomes of the call of an agent. */
async function called(settings: Partial<INode> = {}, toolName = 'count') {
  await using server = await startRawServer((method) =>
    method === 'tools/list' ? { result: JSON.stringify({ tools }) } : undefined,
  );
  const run = execution({ type: new McpVerbatimTool(), credentials: atUrl(server.url), settings });
  const [item] = await run.output([run.request({ n: 'many' }, { toolName })]);
  return { json: item?.json, hints: run.hints.map(({ message }) => message) };
}

test.each<Partial<INode>>([
  {},
  { retryOnFail: true },
  { onError: 'stopWorkflow' },
  { onError: 'continueRegularOutput' },
])('arguments that do not fit are an answer, with a warning for whoever runs the node: %j', async (settings) => {
  const response = expect.stringContaining('/n: must be integer') as string;
  const { json, hints } = await called(settings);
  expect(json).toEqual({ response, isError: true });
  expect(hints).toContainEqual(expect.stringMatching(/^The call was refused\. [^]*\/n: must be integer/));
});

test('a tool that there is not is an error that names those there are', async () => {
  await expect(called({}, 'gone')).rejects.toThrow(/There is no tool "gone"\s.*count/);
});
