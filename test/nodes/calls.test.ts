import type { INode, NodeOperationError } from 'n8n-workflow';
import { expect, test } from 'vitest';
import { McpVerbatim } from '../../nodes/McpVerbatim/McpVerbatim.node.js';
import { McpVerbatimTool } from '../../nodes/McpVerbatimTool/McpVerbatimTool.node.js';
import { startRawServer } from '../../test-support/servers/raw-server.js';
import { atUrl, callOf, execution } from './context.js';

const properties = { n: { type: 'integer' } };
const tools = [{ name: 'count', inputSchema: { type: 'object', properties } }];

/** Calls a tool as an agent does, with arguments that do not fit. */
async function called(settings: Partial<INode> = {}, toolName = 'count') {
  await using server = await startRawServer((method) =>
    method === 'tools/list' ? { result: JSON.stringify({ tools }) } : undefined,
  );
  const run = execution({ type: new McpVerbatimTool(), credentials: atUrl(server.url), settings });
  const [item] = await run.output([run.request({ n: 'many' }, { toolName })]);
  const calls = server.received.filter(({ method }) => method === 'tools/call');
  return { json: item?.json, hints: run.hints.map(({ message }) => message), calls };
}

test.each<Partial<INode>>([{}, { retryOnFail: true }, { onError: 'continueRegularOutput' }])(
  'Arguments that do not fit are not sent, are explained in the answer, and give the node a warning: %j',
  async (settings) => {
    const response = expect.stringContaining('/n: must be integer') as string;
    const { json, hints, calls } = await called(settings);
    expect(calls).toEqual([]);
    // Under "Retry On Fail", n8n reruns a node that throws, or whose item has an `error`.
    expect(json).toEqual({ response, isError: true });
    expect(hints).toContainEqual(expect.stringMatching(/^The call was refused\. [^]*\/n: must be integer/));
  },
);

// After a review, n8n 2.41 puts the tool's name under `tool`. Here the argument is there instead, without a name.
test('An argument called "tool" in place of the name arrives with the others, unless two tools have one', async () => {
  const hit = { name: 'hit', inputSchema: { type: 'object', properties: { tool: {}, force: { type: 'integer' } } } };
  let listed: object[] = [hit, ...tools];
  await using server = await startRawServer((method) => {
    if (method === 'tools/list') return { result: JSON.stringify({ tools: listed }) };
    return method === 'tools/call' ? { result: '{"content":[]}' } : undefined;
  });
  const call = async () => {
    const run = execution({ type: new McpVerbatimTool(), credentials: atUrl(server.url) });
    return await run.output([run.request({ tool: 'hammer', force: '2' })]);
  };
  await call();
  const sent = server.received.filter(({ method }) => method === 'tools/call').map(({ params }) => params);
  expect(sent).toMatchObject([{ name: 'hit', arguments: { tool: 'hammer', force: 2 } }]);
  listed = [hit, { ...hit, name: 'miss' }];
  await expect(call()).rejects.toThrow('There is no tool "hammer"');
});

test('A JSON-RPC error shows no secret in its data, from the credential or unknown', async () => {
  const token = 'token-of-the-credential';
  const data = { sent: `Bearer ${token}`, config: { password: 'hunter2-of-the-server' }, code: 7 };
  const error = JSON.stringify({ code: -32_050, message: 'Not today', data });
  await using server = await startRawServer((method) => {
    if (method === 'tools/list') return { result: JSON.stringify({ tools }) };
    return method === 'tools/call' ? { error } : undefined;
  });
  const credentials = { mcpVerbatimHttpApi: { url: server.url, authentication: 'bearer', token } };
  const step = execution({ type: new McpVerbatim(), credentials, parameters: callOf('count') });
  const agent = execution({ type: new McpVerbatimTool(), credentials });
  for (const failed of [step.output(), agent.output([agent.request({}, { toolName: 'count' })])]) {
    const thrown: unknown = await failed.catch((reason: unknown) => reason);
    const { message, description, messages } = thrown as NodeOperationError;
    const shown = JSON.stringify([message, description, messages, thrown]);
    expect(shown).toContain('Not today');
    expect(shown).toMatch(/"?code\\*":7/);
    expect(shown).not.toMatch(/token-of-the-credential|hunter2/);
  }
});
