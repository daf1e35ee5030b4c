import { expect, onTestFinished, test } from 'vitest';
import { mcpTools, type McpToolsOptions, McpToolError, verbatimTools } from '../../src/langchain/index.js';
import { startHttpServer } from '../../test-support/servers/http.js';
import { toolCall } from './tools.js';

async function serving(answer: object = { content: [] }, error?: object) {
  const server = await startHttpServer({
    'tools/call': ({ message, json, result }) =>
      error ? json({ jsonrpc: '2.0', id: message.id, error }) : result(answer),
  });
  onTestFinished(() => server.close());
  return server;
}

async function invoked(url: string, options: McpToolsOptions): Promise<unknown> {
  await using tools = await mcpTools({ url }, options);
  return await tools[0]!.invoke(toolCall(tools[0]!.name, {}));
}

test('Failures and tool errors are thrown if onFailure and onToolError say so, and answered to the model otherwise', async () => {
  const refusing = await serving({}, { code: -32_000, message: 'Not today' });
  expect(await invoked(refusing.url, {})).toMatchObject({ status: 'error' });
  await expect(invoked(refusing.url, { onFailure: 'throw' })).rejects.toMatchObject({ code: 'SERVER_ERROR' });
  const failing = await serving({ isError: true, content: [{ type: 'text', text: 'no' }] });
  expect(await invoked(failing.url, {})).toMatchObject({ status: 'error' });
  await expect(invoked(failing.url, { onToolError: 'throw' })).rejects.toBeInstanceOf(McpToolError);
});

test("LangChain's timeout ends a call that keeps reporting progress", async () => {
  await using server = await startHttpServer({ 'tools/call': ({ progress }) => progress() });
  await using tools = await mcpTools({ url: server.url });
  const running = tools[0]!.invoke(toolCall('echo', {}), { timeout: 500 });
  await expect(running).rejects.toMatchObject({ code: 'TIMEOUT', idleTimeoutMs: 500 });
});

test('The option extras sets the extras of all tools, or of each', async () => {
  const { url } = await serving();
  await using all = await mcpTools({ url }, { extras: { defer_loading: true } });
  await using each = await mcpTools({ url }, { extras: ({ name }, server) => ({ of: `${server} ${name}` }) });
  expect([all[0]?.extras, each[0]?.extras]).toEqual([{ defer_loading: true }, { of: 'http echo' }]);
  const bound = verbatimTools(all).wrapModelCall({ model: {}, messages: [], tools: all }, ({ tools }) => tools);
  expect(bound).toMatchObject([{ extras: { defer_loading: true } }]);
});

test('The artifact of a thrown error is not in a log', () => {
  const error = new McpToolError('look', 'No.', { arguments: { key: 'secret' } });
  expect([error.artifact, JSON.stringify(error).includes('secret')]).toEqual([{ arguments: { key: 'secret' } }, false]);
});
