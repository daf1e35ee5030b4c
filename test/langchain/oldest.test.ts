import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fetchedPackages } from '../../test-support/packages.js';
import type { mcpTools as McpTools } from '../../src/langchain/index.js';
import { startServer, type TestServer } from './server.js';
import { findPersons, received, sent, tool, toolCall } from './tools.js';

const host = fetchedPackages('test/langchain/hosts/oldest');
type Constructor = new (...fields: unknown[]) => object;

/** The tests of host.test.ts that the oldest packages can pass. */
describe.skipIf(host === undefined)('beside the oldest packages that are supported, with Zod 3', () => {
  let require: (name: string) => Record<string, unknown>;
  let mcpTools: typeof McpTools;
  let server: TestServer;

  beforeAll(async () => {
    require = createRequire(join(host!, 'package.json'));
    expect(require('@langchain/core/package.json')['version']).toBe('0.3.80');
    mcpTools = require('mcp-verbatim/langchain')['mcpTools'] as typeof McpTools;
    const endless = tool('endless', {}, () => new Promise(() => {}));
    server = await startServer([{ definition: findPersons }, endless]);
  });
  afterAll(() => server.close());

  test('With the oldest packages, a model is sent the schema to the character', async () => {
    await using tools = await mcpTools({ url: server.url });
    const { convertToOpenAITool } = require('@langchain/core/utils/function_calling') as {
      convertToOpenAITool(tool: unknown): { function: { parameters: unknown } };
    };
    expect(JSON.stringify(convertToOpenAITool(tools[0]).function.parameters)).toBe(
      JSON.stringify(findPersons.inputSchema),
    );
  });

  test('The oldest ToolNode of LangGraph repairs a malformed argument and answers a wrong call', async () => {
    const { ToolNode } = require('@langchain/langgraph/prebuilt') as {
      ToolNode: new (tools: unknown[]) => { invoke(input: object): Promise<{ messages: object[] }> };
    };
    const { AIMessage } = require('@langchain/core/messages') as Record<string, Constructor>;
    await using tools = await mcpTools({ url: server.url });
    const calls = [toolCall('find_relatives', sent), { ...toolCall('find_relatives', { limit: 'abc' }), id: 'call_2' }];
    server.calls.length = 0;
    const { messages } = await new ToolNode([...tools]).invoke({
      messages: [new AIMessage!({ content: '', tool_calls: calls })],
    });
    expect(messages).toMatchObject([
      { status: 'success', artifact: { arguments: received } },
      { status: 'error', artifact: { error: { code: 'INVALID_ARGUMENTS' } } },
    ]);
    expect(server.calls).toEqual([{ name: 'find_relatives', arguments: received }]);
  });

  test('With the oldest LangChain, its timeout throws a timeout, callbacks see the call, and errors are its own', async () => {
    await using tools = await mcpTools({ url: server.url }, { onInvalidArguments: 'throw' });
    const seen: string[] = [];
    const callbacks = [
      { handleToolStart: () => void seen.push('start'), handleToolError: () => void seen.push('error') },
    ];
    const running = tools[1]?.invoke(toolCall('endless', {}), { timeout: 100, callbacks });
    await expect(running).rejects.toMatchObject({ code: 'TIMEOUT' });
    expect(seen).toEqual(['start', 'error']);
    const { ToolInputParsingException } = require('@langchain/core/tools') as Record<string, Constructor>;
    await expect(tools[0]?.invoke(toolCall('find_relatives', {}))).rejects.toBeInstanceOf(ToolInputParsingException);
  });
});
