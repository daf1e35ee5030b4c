import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { preparePackages } from '../../bench/install.js';
import { providers } from '../../src/cli/check/providers.js';
import type { mcpTools as McpTools } from '../../src/langchain/index.js';
import { captureRequests, chatModels } from './providers.js';
import type { Capture } from './providers.js';
import { startServer } from './server.js';
import type { TestServer } from './server.js';
import { findPersons, received, sent, tool, toolCall } from './tools.js';

/** The packed package among the real LangChain packages, as a user has them; see bench/langchain. */
let require: (name: string) => Record<string, unknown>;
let mcpTools: typeof McpTools;
let server: TestServer;
let provider: Capture;
const opened: { close(): Promise<void> }[] = [];

const combined = {
  name: 'combined',
  inputSchema: { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } }, anyOf: [{ required: ['id'] }, { required: ['name'] }] },
};

beforeAll(async () => {
  require = createRequire(join(preparePackages('langchain'), 'package.json'));
  mcpTools = require('n8n-nodes-mcp-verbatim/langchain')['mcpTools'] as typeof McpTools;
  server = await startServer([{ definition: findPersons }, tool('delete'), { definition: combined }]);
  provider = await captureRequests();
});
afterAll(async () => {
  for (const tools of opened) await tools.close();
  await server.close();
  await provider.close();
});

async function open(options?: Parameters<typeof McpTools>[1]) {
  const tools = await mcpTools({ url: server.url }, options);
  opened.push(tools);
  return tools;
}

describe('what reaches the provider through bindTools', () => {
  const schema = JSON.stringify(findPersons.inputSchema);
  // ChatGoogleGenerativeAI's own conversion drops additionalProperties at every level, and nothing else.
  const google = JSON.stringify(findPersons.inputSchema, (key, value: unknown) => (key === 'additionalProperties' ? undefined : value));

  it.each([
    ['ChatOpenAI', schema],
    ['ChatOpenAI, responses', schema],
    ['ChatAnthropic', schema],
    ['ChatMistralAI', schema],
    ['ChatGroq', schema],
    ['ChatOllama', schema],
    ['ChatGoogleGenerativeAI', google],
  ])('%s', async (name, expected) => {
    const body = await asked(name, ['fg_findPersons']);
    expect(JSON.stringify(body)).toContain(expected);
  });

  it('ChatCohere takes parameters of one type each, and refuses the request otherwise', async () => {
    await expect(asked('ChatCohere', ['fg_findPersons'])).rejects.toThrow(/limit -> type: Expected string/);
    expect(await asked('ChatCohere', ['delete'])).toMatchObject({ tools: [{ name: 'delete' }] });
  });

  it('ChatAnthropic says nothing of a tool with a combinator at its root: it drops it', async () => {
    expect(await asked('ChatAnthropic', ['fg_findPersons', 'combined'])).toMatchObject({ tools: [{ name: 'fg_findPersons' }] });
  });

  async function asked(name: string, names: string[], options?: Parameters<typeof McpTools>[1]): Promise<unknown> {
    const tools = (await open(options)).filter((candidate) => names.includes(candidate.name));
    const model = chatModels[name]?.(require, provider.url);
    // The provider answers with an error of its own; anything else that goes wrong is a finding.
    await model?.bindTools(tools).invoke('hello').catch((error: unknown) => {
      if (!/captured|400/i.test(String(error))) throw error;
    });
    return provider.body();
  }
});

describe('the rules that `mcp-verbatim check` applies are those of the real packages', () => {
  const schemas: Record<string, Record<string, unknown>> = {
    plain: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    closed: { type: 'object', properties: { a: { type: 'object', additionalProperties: false } }, $schema: 'http://json-schema.org/draft-07/schema#' },
    anyOf: { type: 'object', properties: { a: { type: 'string' } }, anyOf: [{ required: ['a'] }] },
    oneOf: { type: 'object', properties: { a: { type: 'string' } }, oneOf: [{ required: ['a'] }] },
    allOf: { type: 'object', properties: { a: { type: 'string' } }, allOf: [{ required: ['a'] }] },
    union: { type: 'object', properties: { a: { type: ['string', 'null'] } } },
    named: { type: 'object', properties: { additionalProperties: { type: 'string' } } },
    definitions: { type: 'object', properties: { a: { $ref: '#/$defs/a', type: 'string' } }, $defs: { a: { type: 'string' } } },
  };
  const models = { anthropic: 'ChatAnthropic', google: 'ChatGoogleGenerativeAI', cohere: 'ChatCohere' } as const;
  const table = Object.entries(models).flatMap(([id, model]) => Object.keys(schemas).map((name) => [id, model, name] as const));

  it.each(table)('%s (%s): %s', async (id, modelName, name) => {
    const schema = schemas[name] ?? {};
    const { DynamicStructuredTool } = require('@langchain/core/tools') as { DynamicStructuredTool: new (fields: object) => object };
    const plain = new DynamicStructuredTool({ name: 'a_tool', description: 'x', schema: structuredClone(schema), func: () => '' });
    const before = provider.requests();
    const model = chatModels[modelName]?.(require, provider.url);
    await model?.bindTools([plain]).invoke('hello').catch(() => {});
    const said = provider.requests() > before ? JSON.stringify(provider.body()) : '';

    const rule = providers.find((candidate) => candidate.id === id);
    expect(rule?.refuses(schema) !== undefined).toBe(!said.includes('a_tool'));
    if (!said.includes('a_tool')) return;
    const asked = Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema'));
    const whole = id === 'cohere' ? !(rule?.drops(schema).length) : said.includes(JSON.stringify(asked).slice(1, -1));
    expect(rule?.drops(schema).length === 0).toBe(whole);
  });
});

describe('what a provider is told of a tool message that holds text alone', () => {
  it.each(Object.keys(chatModels))('%s hands it on', async (name) => {
    const { HumanMessage, AIMessage } = require('@langchain/core/messages') as Record<string, new (fields: unknown) => object>;
    const tools = await open();
    const call = toolCall('fg_findPersons', sent);
    const answer: unknown = await tools[0]?.invoke(call);
    const history = [new HumanMessage!('hello'), new AIMessage!({ content: '', tool_calls: [call] }), answer];
    const model = chatModels[name]?.(require, provider.url);
    await model?.invoke(history).catch((error: unknown) => {
      if (!/captured|400/i.test(String(error))) throw error;
    });
    const said = JSON.stringify(provider.body());
    expect(said).toContain(JSON.stringify(JSON.stringify(received)).slice(1, -1));
  });
});

describe('agents', () => {
  it('createAgent: the call arrives repaired, a refused one is answered and corrected', async () => {
    const { createAgent, FakeToolCallingModel } = require('langchain') as {
      createAgent(fields: object): { invoke(input: object): Promise<{ messages: { type: string; status?: string }[] }> };
      FakeToolCallingModel: new (fields: object) => object;
    };
    const model = new FakeToolCallingModel({ toolCalls: [[toolCall('fg_findPersons', { limit: 'abc' })], [{ ...toolCall('fg_findPersons', sent), id: 'call_2' }], []] });
    server.calls.length = 0;
    const { messages } = await createAgent({ model, tools: [...(await open())] }).invoke({ messages: [{ role: 'user', content: 'find' }] });
    expect(messages.filter(({ type }) => type === 'tool').map(({ status }) => status)).toEqual(['error', 'success']);
    expect(server.calls).toEqual([{ name: 'fg_findPersons', arguments: received }]);
  });

  it('LangGraph\'s ToolNode: repaired, with the artifact on the message', async () => {
    const { ToolNode } = require('@langchain/langgraph/prebuilt') as {
      ToolNode: new (tools: unknown[]) => { invoke(input: object): Promise<{ messages: object[] }> };
    };
    const { AIMessage } = require('@langchain/core/messages') as Record<string, new (fields: unknown) => object>;
    const state = { messages: [new AIMessage!({ content: '', tool_calls: [toolCall('fg_findPersons', sent)] })] };
    const { messages } = await new ToolNode([...(await open())]).invoke(state);
    expect(messages).toMatchObject([{ status: 'success', artifact: { arguments: received } }]);
  });

  it('a human approves through LangGraph\'s interrupt', async () => {
    const graph = require('@langchain/langgraph') as {
      interrupt(value: unknown): boolean;
      MemorySaver: new () => object;
      Command: new (fields: object) => object;
    };
    const { createAgent, FakeToolCallingModel } = require('langchain') as {
      createAgent(fields: object): { invoke(input: object, config: object): Promise<{ messages: { type: string; content: string }[]; __interrupt__?: unknown[] }> };
      FakeToolCallingModel: new (fields: object) => object;
    };
    const tools = await open({ approval: { ask: ({ tool, arguments: args }) => graph.interrupt({ tool: tool.name, args }) } });
    const model = new FakeToolCallingModel({ toolCalls: [[toolCall('delete', { id: 7 })], []] });
    const agent = createAgent({ model, tools: [...tools], checkpointer: new graph.MemorySaver() });
    const config = { configurable: { thread_id: '1' } };
    server.calls.length = 0;

    const paused = await agent.invoke({ messages: [{ role: 'user', content: 'delete it' }] }, config);
    expect(paused.__interrupt__).toMatchObject([{ value: { tool: 'delete', args: { id: 7 } } }]);
    expect(server.calls).toEqual([]);

    await agent.invoke(new graph.Command({ resume: true }), config);
    expect(server.calls).toEqual([{ name: 'delete', arguments: { id: 7 } }]);
  });
});
