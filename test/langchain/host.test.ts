import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe as suite, expect, test } from 'vitest';
import { fetchedPackages } from '../../test-support/packages.js';
import { runTypescript } from '../../test-support/run-typescript.js';
import { providerNotes } from '../../src/internal.js';
import { interruptOn } from '../../src/langchain/index.js';
import type * as Own from '../../src/langchain/index.js';
import { captureRequests, chatModels } from './providers.js';
import type { Capture } from './providers.js';
import { startServer } from './server.js';
import type { TestServer } from './server.js';
import { findPersons, received, sent, tool, toolCall } from './tools.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const host = fetchedPackages('test/langchain/hosts/newest');
const describe = suite.skipIf(host === undefined);

/** The packed package among the real LangChain packages, as a user has them; see hosts/newest. */
let require: (name: string) => Record<string, unknown>;
let own: typeof Own;
let langchain: LangChain;
let messageTypes: Record<'AIMessage' | 'HumanMessage', new (fields: unknown) => object>;
let server: TestServer;
let provider: Capture;
const opened: { close(): Promise<void> }[] = [];

/** As far as it is used here. */
interface LangChain {
  createAgent(fields: object): {
    invoke(
      input: object,
      config?: object,
    ): Promise<{ messages: { type: string; status?: string; text: string }[]; __interrupt__?: unknown[] }>;
    stream(input: object, config: object): Promise<AsyncIterable<unknown>>;
  };
  createMiddleware(fields: object): object;
  FakeToolCallingModel: new (fields: object) => object;
  humanInTheLoopMiddleware(fields: object): object;
  providerToolSearchMiddleware(): object;
  toolRetryMiddleware(fields: object): object;
}

const combined = {
  name: 'combined',
  inputSchema: {
    type: 'object',
    properties: { id: { type: 'string' }, name: { type: 'string' } },
    anyOf: [{ required: ['id'] }, { required: ['name'] }],
  },
};

async function working(
  _args: unknown,
  { progress }: { progress(values: { progress: number }): Promise<void> },
): Promise<unknown> {
  for (const step of [1, 2, 3]) await progress({ progress: step });
  return { content: [{ type: 'text', text: 'done' }] };
}

beforeAll(async () => {
  if (host === undefined) return;
  require = createRequire(join(host, 'package.json'));
  own = require('mcp-verbatim/langchain') as typeof own;
  langchain = require('langchain') as unknown as LangChain;
  messageTypes = require('@langchain/core/messages') as typeof messageTypes;
  server = await startServer([
    { definition: findPersons },
    tool('delete'),
    { definition: combined },
    tool('working', {}, working),
    { definition: { name: 'bare', inputSchema: { type: 'object' } } },
    tool('picture', {}, () => ({ content: [{ type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }] })),
  ]);
  provider = await captureRequests();
});
afterAll(async () => {
  if (host === undefined) return;
  for (const tools of opened) await tools.close();
  await server.close();
  await provider.close();
});

async function open(options?: Own.McpToolsOptions) {
  const tools = await own.mcpTools({ url: server.url }, options);
  opened.push(tools);
  return tools;
}

describe('what reaches the provider through bindTools', () => {
  const schema = JSON.stringify(findPersons.inputSchema);
  // ChatGoogleGenerativeAI's own conversion drops additionalProperties at every level, and nothing else.
  const google = JSON.stringify(findPersons.inputSchema, (key, value: unknown) =>
    key === 'additionalProperties' ? undefined : value,
  );

  test.each([
    ['ChatOpenAI', schema],
    ['ChatOpenAI, responses', schema],
    ['ChatAnthropic', schema],
    ['ChatMistralAI', schema],
    ['ChatGroq', schema],
    ['ChatOllama', schema],
    ['ChatGoogleGenerativeAI', google],
  ])('%s', async (name, expected) => {
    const body = await asked(name, ['find_relatives']);
    expect(JSON.stringify(body)).toContain(expected);
  });

  test("ChatAnthropic finds its options in a tool's extras", async () => {
    const body = await asked('ChatAnthropic', ['find_relatives'], {
      extras: (tool) => (tool.name === 'delete' ? undefined : { cache_control: { type: 'ephemeral' } }),
    });
    expect(body).toMatchObject({ tools: [{ name: 'find_relatives', cache_control: { type: 'ephemeral' } }] });
  });

  test('ChatCohere takes parameters of one type each, and refuses the request otherwise', async () => {
    await expect(asked('ChatCohere', ['find_relatives'])).rejects.toThrow(/limit -> type: Expected string/);
    expect(await asked('ChatCohere', ['delete'])).toMatchObject({ tools: [{ name: 'delete' }] });
  });

  test('ChatAnthropic says nothing of a tool with a combinator at its root: it drops it', async () => {
    expect(await asked('ChatAnthropic', ['find_relatives', 'combined'], { providerSafe: false })).toMatchObject({
      tools: [{ name: 'find_relatives' }],
    });
  });

  test('ChatGoogle refuses the whole request at any reference, unless its provider is known', async () => {
    await expect(asked('ChatGoogle', ['find_relatives'], { providerSafe: false })).rejects.toThrow(/\$ref/);
    const body = JSON.stringify(await asked('ChatGoogle', ['find_relatives'], { model: 'google:gemini-2.5-pro' }));
    expect(body).toContain('find_relatives');
    expect(body).not.toContain('$ref');
  });

  test.each(['ChatOpenAI', 'ChatOpenAI, responses', 'ChatAnthropic', 'ChatMistralAI'])(
    '%s has every tool in a form that OpenAI and Anthropic take, where nobody names a model',
    async (name) => {
      const body = JSON.stringify(await asked(name, ['combined', 'bare']));
      expect(body).toContain('"combined"');
      expect(body).toContain('{"type":"object","properties":{}}');
      expect(body).not.toContain('anyOf');
    },
  );

  async function asked(name: string, names: string[], options?: Own.McpToolsOptions): Promise<unknown> {
    const tools = (await open(options)).filter((candidate) => names.includes(candidate.name));
    const model = chatModels[name]?.(require, provider.url);
    // The provider answers with an error of its own; anything else that goes wrong is a finding.
    await model
      ?.bindTools(tools)
      .invoke('hello')
      .catch((error: unknown) => {
        if (!/captured|400/i.test(String(error))) throw error;
      });
    return provider.body();
  }
});

describe('what is known of providers is what their real packages do', () => {
  const schemas: Record<string, Record<string, unknown>> = {
    plain: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    closed: { type: 'object', properties: { a: { type: 'object', properties: {}, additionalProperties: false } } },
    anyOf: { type: 'object', properties: { a: { type: 'string' } }, anyOf: [{ required: ['a'] }] },
    oneOf: { type: 'object', properties: { a: { type: 'string' } }, oneOf: [{ required: ['a'] }] },
    allOf: { type: 'object', properties: { a: { type: 'string' } }, allOf: [{ required: ['a'] }] },
  };

  test.each(Object.entries(schemas))(
    'ChatAnthropic drops a tool (%s) exactly where the notes say so',
    async (_name, schema) => {
      const dropped = providerNotes({ inputSchema: schema }, 'anthropic').some(({ effect }) => effect === 'dropped');
      expect((await said('ChatAnthropic', schema)).includes('a_tool')).toBe(!dropped);
    },
  );

  test.each(Object.entries(schemas))(
    'ChatGoogleGenerativeAI changes a schema (%s) exactly where the notes say so',
    async (_name, schema) => {
      const changed = providerNotes({ inputSchema: schema }, 'google').some(({ effect }) => effect === 'changed');
      expect((await said('ChatGoogleGenerativeAI', schema)).includes(JSON.stringify(schema))).toBe(!changed);
    },
  );

  test('the projection reaches ChatAnthropic where the original does not, and the original still decides', async () => {
    const tools = await open({ provider: 'anthropic', providerSafe: true });
    expect(tools.report[0]?.notes.map(({ code, tool }) => [tool, code])).toContainEqual([
      'combined',
      'root-combinator',
    ]);
    const found = tools.find(({ name }) => name === 'combined');
    expect(await asked([found])).toContain('combined');
    expect(await found?.invoke(toolCall('combined', {}))).toMatchObject({ status: 'error' });
  });

  async function said(model: string, schema: Record<string, unknown>): Promise<string> {
    const { DynamicStructuredTool } = require('@langchain/core/tools') as {
      DynamicStructuredTool: new (fields: object) => object;
    };
    const fields = { name: 'a_tool', description: 'x', schema: structuredClone(schema), func: () => '' };
    return asked([new DynamicStructuredTool(fields)], model);
  }

  async function asked(tools: unknown[], model = 'ChatAnthropic'): Promise<string> {
    await chatModels[model]?.(require, provider.url)
      .bindTools(tools)
      .invoke('hello')
      .catch(() => {});
    return JSON.stringify(provider.body());
  }
});

describe('what a provider is sent of a tool message that holds text alone', () => {
  test.each(Object.keys(chatModels))('%s hands it on', async (name) => {
    const tools = await open();
    const call = toolCall('find_relatives', sent);
    const answer: unknown = await tools[0]?.invoke(call);
    const calling = new messageTypes.AIMessage({ content: '', tool_calls: [call] });
    const history = [new messageTypes.HumanMessage('hello'), calling, answer];
    const model = chatModels[name]?.(require, provider.url);
    await model?.invoke(history).catch((error: unknown) => {
      if (!/captured|400/i.test(String(error))) throw error;
    });
    const said = JSON.stringify(provider.body());
    expect(said).toContain(JSON.stringify(JSON.stringify(received)).slice(1, -1));
  });
});

describe('agents', () => {
  test('createAgent: the call arrives repaired, a refused one is answered and corrected', async () => {
    const { createAgent, FakeToolCallingModel } = langchain;
    const second = { ...toolCall('find_relatives', sent), id: 'call_2' };
    const model = new FakeToolCallingModel({
      toolCalls: [[toolCall('find_relatives', { limit: 'abc' })], [second], []],
    });
    server.calls.length = 0;
    const { messages } = await createAgent({ model, tools: [...(await open())] }).invoke({
      messages: [{ role: 'user', content: 'find' }],
    });
    expect(messages.filter(({ type }) => type === 'tool').map(({ status }) => status)).toEqual(['error', 'success']);
    expect(server.calls).toEqual([{ name: 'find_relatives', arguments: received }]);
  });

  test.each([
    ['ChatOpenAI', {}, false],
    ['ChatAnthropic', {}, false],
    ['ChatMistralAI', {}, true],
    ['ChatOpenAI', { providerSafe: false }, true],
  ])('createAgent with toolSearch tells %s what its provider accepts, with %j', async (name, options, isOriginal) => {
    const tools = await open(options);
    const searching = langchain.createMiddleware(own.toolSearch(tools, { always: ['combined', 'delete'] }));
    const body = await toldBy(name, [], [searching]);
    expect(body).toContain('"combined"');
    expect(body.includes('anyOf')).toBe(isOriginal);
    expect(body).toContain(JSON.stringify(tools.find((each) => each.name === 'delete')?.tool.inputSchema));
    expect(tools.find((each) => each.name === 'combined')?.tool.inputSchema).toEqual(combined.inputSchema);
  });

  test.each([
    ['ChatOpenAI', false, true],
    ['ChatAnthropic', false, true],
    ['ChatMistralAI', true, true],
    ['ChatGoogle', false, false],
  ])('createAgent with verbatimTools sends %s what its provider accepts', async (name, hasAnyOf, hasReference) => {
    const tools = await open();
    const body = await toldBy(name, [], [langchain.createMiddleware(own.verbatimTools(tools))]);
    for (const each of tools) expect(body).toContain(`"${each.name}"`);
    expect(body.includes('"anyOf":[{"required"')).toBe(hasAnyOf);
    expect(body.includes('$ref')).toBe(hasReference);
  });

  test.each([
    ['ChatOpenAI', '[image: image/png, 8 bytes]'],
    ['ChatAnthropic', 'iVBORw0KGgo='],
  ])('createAgent with verbatimTools sends %s an image in the answer of a tool as %s', async (name, expected) => {
    const tools = await open();
    const call = toolCall('picture', {});
    const answer: unknown = await tools.find((each) => each.name === 'picture')?.invoke(call);
    const history = [new messageTypes.AIMessage({ content: '', tool_calls: [call] }), answer];
    const body = await toldBy(name, [], [langchain.createMiddleware(own.verbatimTools(tools))], history);
    expect(body).toContain(expected);
    expect(body.includes('iVBORw0KGgo=')).toBe(name !== 'ChatOpenAI');
  });

  test('where the option names ChatOpenAI, an image is sent in words', async () => {
    const model = chatModels['ChatOpenAI']?.(require, provider.url);
    const [picture] = (await open({ model: model!, include: ['picture'] })) as {
      invoke(call: object): Promise<unknown>;
    }[];
    expect(await picture?.invoke(toolCall('picture', {}))).toMatchObject({ content: '[image: image/png, 8 bytes]' });
  });

  test.each([
    ['ChatOpenAI, responses', '"type":"tool_search"'],
    ['ChatAnthropic', '"tool_search_tool_bm25"'],
  ])('createAgent: %s searches on its side, among the schemas as their server wrote them', async (name, search) => {
    const tools = await open({ include: ['find_relatives'], extras: { defer_loading: true } });
    const body = await toldBy(name, [...tools], [langchain.providerToolSearchMiddleware()]);
    expect(body).toContain('"defer_loading":true');
    expect(body).toContain(search);
    expect(body).toContain(JSON.stringify(findPersons.inputSchema));
  });

  /** What the provider of an agent's model is sent. */
  async function toldBy(name: string, tools: unknown[], middleware: object[], history: unknown[] = []) {
    const agent = langchain.createAgent({ model: chatModels[name]?.(require, provider.url), tools, middleware });
    const messages = [{ role: 'user', content: 'find' }, ...history];
    await agent.invoke({ messages }).catch((error: unknown) => {
      if (!/captured|400/i.test(String(error))) throw error;
    });
    return JSON.stringify(provider.body());
  }

  test.each([
    ['completions, in the way of their own', {}, 'providerStrategy', true],
    ['completions, with a tool', {}, 'toolStrategy', undefined],
    ['responses', { useResponsesApi: true, supportsStrictToolCalling: false }, 'providerStrategy', false],
  ])('createAgent asks ChatOpenAI for a structured answer by %s', async (_way, more, strategy, strict) => {
    const modules = { ...require('langchain'), ...require('@langchain/openai') } as Record<string, unknown>;
    const {
      createAgent,
      ChatOpenAI,
      [strategy]: structured,
    } = modules as {
      createAgent(fields: object): { invoke(input: object): Promise<unknown> };
      ChatOpenAI: new (fields: object) => object;
      [strategy: string]: unknown;
    };
    const configuration = { baseURL: provider.url };
    const model = new ChatOpenAI({ apiKey: 'none', maxRetries: 0, model: 'gpt-4o', configuration, ...more });
    const answer = { title: 'answer', type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };
    const responseFormat = (structured as (schema: object) => unknown)(answer);
    const tools = (await open()).slice(0, 1);
    const run = createAgent({ model, tools, responseFormat }).invoke({ messages: [{ role: 'user', content: 'x' }] });
    await expect(run).rejects.toThrow(/captured/);
    const [told] = (provider.body() as { tools: [{ strict?: boolean; function?: { strict?: boolean } }] }).tools;
    expect((told.function ?? told).strict).toBe(strict);
    expect(JSON.stringify(told)).toContain(JSON.stringify(findPersons.inputSchema));
  });

  test("LangGraph's ToolNode: repaired, with the artifact on the message", async () => {
    const { ToolNode } = require('@langchain/langgraph/prebuilt') as {
      ToolNode: new (tools: unknown[]) => { invoke(input: object): Promise<{ messages: object[] }> };
    };
    const state = {
      messages: [new messageTypes.AIMessage({ content: '', tool_calls: [toolCall('find_relatives', sent)] })],
    };
    const { messages } = await new ToolNode([...(await open())]).invoke(state);
    expect(messages).toMatchObject([{ status: 'success', artifact: { arguments: received } }]);
  });

  test("LangChain's own middleware pauses for the tools that annotations call destructive", async () => {
    const { createAgent, FakeToolCallingModel } = langchain;
    const { MemorySaver } = require('@langchain/langgraph') as { MemorySaver: new () => object };
    const tools = await open();
    const model = new FakeToolCallingModel({ toolCalls: [[toolCall('delete', { id: 7 })], []] });
    const middleware = [langchain.humanInTheLoopMiddleware({ interruptOn: interruptOn(tools) })];
    const agent = createAgent({ model, tools: [...tools], middleware, checkpointer: new MemorySaver() });
    server.calls.length = 0;
    const paused = await agent.invoke(
      { messages: [{ role: 'user', content: 'delete it' }] },
      { configurable: { thread_id: '2' } },
    );
    expect(JSON.stringify(paused.__interrupt__)).toContain('delete');
    expect(server.calls).toEqual([]);
  });

  test.each([
    ['never, because failures are messages', {}, 1],
    ['where failures are thrown', { onFailure: 'throw' as const }, 3],
  ])("LangChain's toolRetryMiddleware retries %s", async (_case, options, expected) => {
    const { createAgent, FakeToolCallingModel } = langchain;
    const gone = await startServer([tool('search')]);
    let attempts = 0;
    const before = () => {
      attempts++;
      return undefined;
    };
    await using tools = await own.mcpTools({ url: gone.url }, { ...options, before });
    await gone.close();
    await createAgent({
      model: new FakeToolCallingModel({ toolCalls: [[toolCall('search', {})], []] }),
      tools: [...tools],
      middleware: [langchain.toolRetryMiddleware({ maxRetries: 2, initialDelayMs: 1, jitter: false })],
    }).invoke({ messages: [{ role: 'user', content: 'search' }] });
    expect(attempts).toBe(expected);
  });

  test("LangChain's toolRetryMiddleware retries what a tool reports as failed, where that is thrown", async () => {
    const { createAgent, FakeToolCallingModel } = langchain;
    await using flaky = await startServer([
      tool('search', {}, () => ({ content: [{ type: 'text', text: 'busy' }], isError: flaky.calls.length < 3 })),
    ]);
    await using tools = await own.mcpTools({ url: flaky.url }, { onToolError: 'throw' });
    const { messages } = await createAgent({
      model: new FakeToolCallingModel({ toolCalls: [[toolCall('search', {})], []] }),
      tools: [...tools],
      middleware: [langchain.toolRetryMiddleware({ maxRetries: 5, initialDelayMs: 1, jitter: false })],
    }).invoke({ messages: [{ role: 'user', content: 'search' }] });
    expect(flaky.calls).toHaveLength(3);
    expect(messages.find(({ type }) => type === 'tool')).toMatchObject({ status: 'success', text: 'busy' });
  });

  test('LangGraph streams progress as tool events', async () => {
    const { createAgent, FakeToolCallingModel } = langchain;
    const model = new FakeToolCallingModel({ toolCalls: [[toolCall('working', {})], []] });
    const seen: unknown[] = [];
    const stream = await createAgent({ model, tools: [...(await open())] }).stream(
      { messages: [{ role: 'user', content: 'work' }] },
      { streamMode: 'tools' },
    );
    for await (const event of stream) seen.push(event);
    expect(JSON.stringify(seen)).toContain('"progress":3');
  });
});

describe('a warning that nobody names a model', () => {
  const program = (use: string) => `
    import { createAgent, createMiddleware } from 'langchain';
    import { ChatOpenAI } from '@langchain/openai';
    import { mcpTools, verbatimTools } from 'mcp-verbatim/langchain';
    const model = new ChatOpenAI({ model: 'gpt-4o', apiKey: 'none', maxRetries: 0, configuration: { baseURL: '${provider.url}' } });
    for (const turn of [1, 2]) {
      await using tools = await mcpTools({ url: '${server.url}' });
      await createAgent(${use}).invoke({ messages: [{ role: 'user', content: 'x' }] }).catch(() => {});
    }`;

  test.each([
    ['is printed once, with what to do', '{ model, tools }', 1],
    [
      'is not printed where a middleware knows it',
      '{ model, tools: [], middleware: [createMiddleware(verbatimTools(tools))] }',
      0,
    ],
  ])('%s', async (_case, use, times) => {
    const file = join(host!, 'node_modules', `.warning-${times}.mjs`);
    const { stderr } = await runTypescript(file, program(use), { cwd: host! });
    expect(stderr.split('MCP_VERBATIM_ADAPTED')).toHaveLength(times + 1);
    if (times > 0) expect(stderr).toMatch(/: "combined"\. .*verbatimTools\(tools\).*"providerSafe": false/);
  });
});

/** LangChain exists as ESM and as CommonJS, each with classes of its own; see build.mjs. */
describe('the module that a program imports', () => {
  const script = (load: string) => `${load}
    const tools = await mcpTools({ command: process.execPath, args: [${JSON.stringify(join(root, 'test-support/servers/stdio.mjs'))}, 'plain'] }, { onInvalidArguments: 'throw' });
    const error = await tools[0].invoke({ type: 'tool_call', id: '1', name: 'echo', args: { text: {} } }).catch((thrown) => thrown);
    console.log(tools[0] instanceof StructuredTool, error instanceof ToolInputParsingException, error.cause instanceof InvalidArgumentsError);
    await tools.close();`;

  test.each([
    [
      'ESM',
      'module',
      `import { mcpTools } from 'mcp-verbatim/langchain'; import { InvalidArgumentsError } from 'mcp-verbatim'; import { StructuredTool, ToolInputParsingException } from '@langchain/core/tools';`,
    ],
    [
      'CommonJS',
      'commonjs',
      `const { mcpTools } = require('mcp-verbatim/langchain'); const { InvalidArgumentsError } = require('mcp-verbatim'); const { StructuredTool, ToolInputParsingException } = require('@langchain/core/tools'); void (async () => {`,
    ],
  ])('%s: its tools and errors are of the classes that the program knows', (_kind, type, load) => {
    const source = type === 'module' ? script(load) : `${script(load)} })();`;
    expect(
      execFileSync(process.execPath, [`--input-type=${type}`, '-e', source], { cwd: host!, encoding: 'utf8' }),
    ).toBe('true true true\n');
  });
});
