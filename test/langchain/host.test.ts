import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runTypescript } from '../../test-support/run-typescript.js';
import { stdioServer } from '../../test-support/servers/stdio.js';
import { providerNotes } from '../../src/internal.js';
import { interruptOn, type McpToolsOptions } from '../../src/langchain/index.js';
import { describe, fromHost, host, langchain, own, saying } from './newest.js';
import { captureRequests, chatModels, type Capture } from './providers.js';
import { startServer, type TestServer } from './server.js';
import { findPersons, received, sent, tool, toolCall } from './tools.js';

let server: TestServer;
let provider: Capture;
const opened: { close(): Promise<void> }[] = [];

const spelt = {
  name: 'spelt',
  inputSchema: { type: 'object', properties: { 'a b': { type: 'string' } }, required: ['a b'] },
};

const combined = {
  name: 'combined',
  inputSchema: {
    type: 'object',
    properties: { id: { type: 'string' }, name: { type: 'string' } },
    anyOf: [{ required: ['id'] }, { required: ['name'] }],
  },
};

const picture = () => ({ content: [{ type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }] });

async function working(
  _args: unknown,
  { progress }: { progress(values: { progress: number }): Promise<void> },
): Promise<unknown> {
  for (const step of [1, 2, 3]) await progress({ progress: step });
  return { content: [{ type: 'text', text: 'done' }] };
}

beforeAll(async () => {
  server = await startServer([
    { definition: findPersons },
    tool('delete'),
    { definition: combined },
    tool('working', {}, working),
    { definition: { name: 'bare', inputSchema: { type: 'object' } } },
    { definition: spelt },
    tool('picture', {}, picture),
  ]);
  provider = await captureRequests();
});
afterAll(async () => {
  for (const tools of opened) await tools.close();
  await server.close();
  await provider.close();
});

async function open(options?: McpToolsOptions) {
  const tools = await own().mcpTools({ url: server.url }, options);
  opened.push(tools);
  return tools;
}

const modelOf = (name: string) => chatModels[name]!(fromHost, provider.url);
const messageOf = (kind: 'AIMessage' | 'HumanMessage', fields: unknown) => {
  const kinds = fromHost('@langchain/core/messages') as Record<string, new (fields: unknown) => object>;
  return new kinds[kind]!(fields);
};
/** An agent whose model makes one call. */
const calling = (call: object, fields: object) =>
  langchain().createAgent({ model: new (langchain().FakeToolCallingModel)({ toolCalls: [[call], []] }), ...fields });

/** The body of the request. The provider answers with an error; any other error fails the test. */
async function requestOf(running: Promise<unknown>): Promise<unknown> {
  await running.catch((error: unknown) => {
    if (!/captured|400/i.test(String(error))) throw error;
  });
  return provider.body();
}

describe('the schemas that reach the provider through bindTools', () => {
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
  ])('Through bindTools, %s sends each schema in a form that its provider accepts', async (name, expected) => {
    const body = await asked(name, ['find_relatives']);
    expect(JSON.stringify(body)).toContain(expected);
  });

  test("ChatAnthropic finds its options in a tool's extras", async () => {
    const body = await asked('ChatAnthropic', ['find_relatives'], {
      extras: (tool) => (tool.name === 'delete' ? undefined : { cache_control: { type: 'ephemeral' } }),
    });
    expect(body).toMatchObject({ tools: [{ name: 'find_relatives', cache_control: { type: 'ephemeral' } }] });
  });

  test('ChatCohere rejects a request with a parameter of several types', async () => {
    await expect(asked('ChatCohere', ['find_relatives'])).rejects.toThrow(/limit -> type: Expected string/);
    expect(await asked('ChatCohere', ['delete'])).toMatchObject({ tools: [{ name: 'delete' }] });
  });

  test('ChatGoogle rejects a whole request with a reference, unless its provider is named', async () => {
    await expect(asked('ChatGoogle', ['find_relatives'], { providerSafe: false })).rejects.toThrow(/\$ref/);
    const body = JSON.stringify(await asked('ChatGoogle', ['find_relatives'], { model: 'google:gemini-2.5-pro' }));
    expect(body).toContain('find_relatives');
    expect(body).not.toContain('$ref');
  });

  test.each(['ChatOpenAI', 'ChatOpenAI, responses', 'ChatAnthropic', 'ChatMistralAI'])(
    '%s sends every tool in a form that OpenAI and Anthropic accept if no model is named',
    async (name) => {
      const body = JSON.stringify(await asked(name, ['combined', 'bare']));
      expect(body).toContain('"combined"');
      expect(body).toContain('{"type":"object","properties":{}}');
      expect(body).not.toContain('anyOf');
    },
  );

  async function asked(name: string, names: string[], options?: McpToolsOptions): Promise<unknown> {
    const tools = (await open(options)).filter((candidate) => names.includes(candidate.name));
    return await requestOf(modelOf(name).bindTools(tools).invoke('hello'));
  }
});

const schemas: Record<string, Record<string, unknown>> = {
  plain: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
  closed: { type: 'object', properties: { a: { type: 'object', properties: {}, additionalProperties: false } } },
  anyOf: { type: 'object', properties: { a: { type: 'string' } }, anyOf: [{ required: ['a'] }] },
};

test.skipIf(host === undefined).each(Object.entries(schemas))(
  'ChatAnthropic drops a tool (%s), and ChatGoogleGenerativeAI changes a schema, exactly when the notes say so',
  async (_name, schema) => {
    const effects = (provider: 'anthropic' | 'google') =>
      providerNotes({ inputSchema: schema }, provider).map(({ effect }) => effect);
    const dropped = effects('anthropic').includes('dropped');
    expect((await said('ChatAnthropic', schema)).includes('a_tool')).toBe(!dropped);
    const changed = effects('google').includes('changed');
    expect((await said('ChatGoogleGenerativeAI', schema)).includes(JSON.stringify(schema))).toBe(!changed);
  },
);

async function said(model: string, schema: Record<string, unknown>): Promise<string> {
  const { DynamicStructuredTool } = fromHost('@langchain/core/tools') as {
    DynamicStructuredTool: new (fields: object) => object;
  };
  const fields = { name: 'a_tool', description: 'x', schema: structuredClone(schema), func: () => '' };
  return await asked([new DynamicStructuredTool(fields)], model);
}

async function asked(tools: unknown[], model = 'ChatAnthropic'): Promise<string> {
  return JSON.stringify(await requestOf(modelOf(model).bindTools(tools).invoke('hello')));
}

test.skipIf(host === undefined).each(Object.keys(chatModels))(
  '%s passes on a tool message of text alone',
  async (name) => {
    const [find] = await open();
    const call = toolCall('find_relatives', sent);
    const history = [
      messageOf('HumanMessage', 'hello'),
      messageOf('AIMessage', { content: '', tool_calls: [call] }),
      await find?.invoke(call),
    ];
    const said = JSON.stringify(await requestOf(modelOf(name).invoke(history)));
    expect(said).toContain(JSON.stringify(JSON.stringify(received)).slice(1, -1));
  },
);

describe('agents', () => {
  test('A call of createAgent arrives repaired, and a refused call is answered and corrected', async () => {
    const second = { ...toolCall('find_relatives', sent), id: 'call_2' };
    const toolCalls = [[toolCall('find_relatives', { limit: 'abc' })], [second], []];
    const model = new (langchain().FakeToolCallingModel)({ toolCalls });
    server.calls.length = 0;
    const agent = langchain().createAgent({ model, tools: [...(await open())] });
    const { messages } = await agent.invoke(saying('find'));
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
    const searching = langchain().createMiddleware(own().toolSearch(tools, { always: ['combined', 'delete'] }));
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
    const body = await toldBy(name, [], [verbatim(tools)]);
    for (const each of tools) expect(body).toContain(`"${each.name}"`);
    expect(body.includes('"anyOf":[{"required"')).toBe(hasAnyOf);
    expect(body.includes('$ref')).toBe(hasReference);
  });

  test.each([
    ['ChatOpenAI', '[image: image/png, 8 bytes]'],
    ['ChatAnthropic', 'iVBORw0KGgo='],
    ['ChatOpenAI, responses', 'iVBORw0KGgo='],
    // It throws for an image in the answer of a tool.
    ['ChatMistralAI', '[image: image/png, 8 bytes]'],
    ['ChatGroq', '[image: image/png, 8 bytes]'],
  ])('createAgent with verbatimTools sends %s an image in the answer of a tool as %s', async (name, expected) => {
    const tools = await open();
    const call = toolCall('picture', {});
    const answer: unknown = await tools.find((each) => each.name === 'picture')?.invoke(call);
    const history = [messageOf('AIMessage', { content: '', tool_calls: [call] }), answer];
    const body = await toldBy(name, [], [verbatim(tools)], history);
    expect(body).toContain(expected);
    expect(body.includes('iVBORw0KGgo=')).toBe(expected === 'iVBORw0KGgo=');
    expect(body.match(/"strict":\w+/g) ?? []).toEqual(
      name.endsWith('responses') ? tools.map(() => '"strict":false') : [],
    );
  });

  test('With verbatimTools, a parameter whose name Anthropic rejects has its own name at the server', async () => {
    const tools = await open({ include: ['spelt'] });
    expect(await toldBy('ChatAnthropic', [], [verbatim(tools)])).toContain('"a_b"');
    server.calls.length = 0;
    await tools[0]?.invoke(toolCall('spelt', { a_b: 'x' }));
    expect(server.calls).toEqual([{ name: 'spelt', arguments: { 'a b': 'x' } }]);
    const named = await open({ include: ['spelt'], provider: 'openai' });
    expect(JSON.stringify(named[0]?.schema)).toContain('"a b"');
  });

  test('An image is described in words if the option names ChatOpenAI', async () => {
    const [picture] = await open({ model: modelOf('ChatOpenAI'), include: ['picture'] });
    expect(await picture?.invoke(toolCall('picture', {}))).toMatchObject({ content: '[image: image/png, 8 bytes]' });
  });

  test.each([
    ['ChatOpenAI, responses', '"type":"tool_search"'],
    ['ChatAnthropic', '"tool_search_tool_bm25"'],
  ])(
    'With createAgent, the provider of %s searches among the schemas as their server wrote them',
    async (name, search) => {
      const tools = await open({ include: ['find_relatives'], extras: { defer_loading: true } });
      const body = await toldBy(name, [...tools], [langchain().providerToolSearchMiddleware()]);
      expect(body).toContain('"defer_loading":true');
      expect(body).toContain(search);
      expect(body).toContain(JSON.stringify(findPersons.inputSchema));
    },
  );

  const verbatim = (tools: Awaited<ReturnType<typeof open>>) =>
    langchain().createMiddleware(own().verbatimTools(tools));

  /** The request to the provider of an agent's model. */
  async function toldBy(name: string, tools: unknown[], middleware: object[], history: unknown[] = []) {
    const agent = langchain().createAgent({ model: modelOf(name), tools, middleware });
    return JSON.stringify(await requestOf(agent.invoke({ messages: [...saying('find').messages, ...history] })));
  }

  test.each([
    ['completions, in the way of their own', {}, 'providerStrategy', true],
    ['completions, with a tool', {}, 'toolStrategy', undefined],
    ['responses', { useResponsesApi: true, supportsStrictToolCalling: false }, 'providerStrategy', false],
  ])('createAgent asks ChatOpenAI for a structured answer by %s', async (_way, more, strategy, strict) => {
    const { ChatOpenAI } = fromHost('@langchain/openai') as { ChatOpenAI: new (fields: object) => object };
    const configuration = { baseURL: provider.url };
    const model = new ChatOpenAI({ apiKey: 'none', maxRetries: 0, model: 'gpt-4o', configuration, ...more });
    const answer = { title: 'answer', type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };
    const structured = (fromHost('langchain') as Record<string, (schema: object) => unknown>)[strategy]!;
    const tools = (await open()).slice(0, 1);
    const agent = langchain().createAgent({ model, tools, responseFormat: structured(answer) });
    await expect(agent.invoke(saying('x'))).rejects.toThrow(/captured/);
    const [told] = (provider.body() as { tools: [{ strict?: boolean; function?: { strict?: boolean } }] }).tools;
    expect((told.function ?? told).strict).toBe(strict);
    expect(JSON.stringify(told)).toContain(JSON.stringify(findPersons.inputSchema));
  });

  test("LangGraph's ToolNode makes a repaired call, and its message has the artifact", async () => {
    const { ToolNode } = fromHost('@langchain/langgraph/prebuilt') as {
      ToolNode: new (tools: unknown[]) => { invoke(input: object): Promise<{ messages: object[] }> };
    };
    const call = messageOf('AIMessage', { content: '', tool_calls: [toolCall('find_relatives', sent)] });
    const { messages } = await new ToolNode([...(await open())]).invoke({ messages: [call] });
    expect(messages).toMatchObject([{ status: 'success', artifact: { arguments: received } }]);
  });

  test("LangChain's own middleware pauses for the tools that annotations call destructive", async () => {
    const { MemorySaver } = fromHost('@langchain/langgraph') as { MemorySaver: new () => object };
    const tools = await open();
    const middleware = [langchain().humanInTheLoopMiddleware({ interruptOn: interruptOn(tools) })];
    const agent = calling(toolCall('delete', { id: 7 }), {
      tools: [...tools],
      middleware,
      checkpointer: new MemorySaver(),
    });
    server.calls.length = 0;
    const paused = await agent.invoke(saying('delete it'), { configurable: { thread_id: '2' } });
    expect(JSON.stringify(paused.__interrupt__)).toContain('delete');
    expect(server.calls).toEqual([]);
  });

  const retrying = () => langchain().toolRetryMiddleware({ maxRetries: 2, initialDelayMs: 1, jitter: false });

  test.each([
    ['never, because failures are messages', {}, 1],
    ['if failures are thrown', { onFailure: 'throw' as const }, 3],
  ])("LangChain's toolRetryMiddleware retries %s", async (_case, options, expected) => {
    const gone = await startServer([tool('search')]);
    const attempts: unknown[] = [];
    await using tools = await own().mcpTools(
      { url: gone.url },
      { ...options, before: (call) => void attempts.push(call) },
    );
    await gone.close();
    await calling(toolCall('search', {}), { tools: [...tools], middleware: [retrying()] }).invoke(saying('search'));
    expect(attempts).toHaveLength(expected);
  });

  test('LangGraph streams progress as tool events', async () => {
    const agent = calling(toolCall('working', {}), { tools: [...(await open())] });
    const seen: unknown[] = [];
    for await (const event of await agent.stream(saying('work'), { streamMode: 'tools' })) seen.push(event);
    expect(JSON.stringify(seen)).toContain('"progress":3');
  });
});

test.skipIf(host === undefined)(
  'The warning that no model is named is printed once with advice, and not if a middleware knows the model',
  async () => {
    const program = `
      import { createAgent, createMiddleware } from 'langchain';
      import { ChatOpenAI } from '@langchain/openai';
      import { mcpTools, verbatimTools } from 'mcp-verbatim/langchain';
      const model = new ChatOpenAI({ model: 'gpt-4o', apiKey: 'none', maxRetries: 0, configuration: { baseURL: '${provider.url}' } });
      async function turn(fields) {
        await using tools = await mcpTools({ url: '${server.url}' });
        await createAgent({ model, ...fields(tools) }).invoke({ messages: [{ role: 'user', content: 'x' }] }).catch(() => {});
      }
      await turn((tools) => ({ tools: [], middleware: [createMiddleware(verbatimTools(tools))] }));
      await new Promise((resolve) => setImmediate(resolve));
      console.error('known until here');
      for (const time of [1, 2]) await turn((tools) => ({ tools }));`;
    const { stderr } = await runTypescript(join(host!, 'node_modules', '.warning.mjs'), program, { cwd: host! });
    const [known, unknown = ''] = stderr.split('known until here');
    expect(known).not.toContain('MCP_VERBATIM_ADAPTED');
    expect(unknown.split('MCP_VERBATIM_ADAPTED')).toHaveLength(2);
    expect(unknown).toMatch(
      /: "combined", "spelt"; these keep references, which Gemini rejects: "find_relatives"\. .*verbatimTools\(tools\).*"providerSafe": false/,
    );
  },
);

test.skipIf(host === undefined)(
  'createAgent uses Responses for every model that it makes from a name, and warns once of too many tools',
  async () => {
    const many = Array.from({ length: 200 }, (_, index) => ({ definition: { ...spelt, name: `tool_${index}` } }));
    await using crowd = await startServer([...many, tool('picture', {}, picture)]);
    const program = `
      import { createAgent, createMiddleware, AIMessage } from 'langchain';
      import { agentTools } from 'mcp-verbatim';
      import { verbatimTools as ofSdk } from 'mcp-verbatim/ai-sdk';
      import { mcpTools, verbatimTools } from 'mcp-verbatim/langchain';
      await using tools = await mcpTools({ url: '${crowd.url}' });
      const call = { type: 'tool_call', id: 'c1', name: 'picture', args: {} };
      const history = [new AIMessage({ content: '', tool_calls: [call] }), await tools.find(({ name }) => name === 'picture').invoke(call)];
      for (const model of ['openai:gpt-5.6', 'openai:gpt-4o']) {
        const agent = createAgent({ model, tools: [], middleware: [createMiddleware(verbatimTools(tools))] });
        await agent.invoke({ messages: [{ role: 'user', content: 'x' }, ...history] }).catch(() => {});
      }
      const params = { tools: Array.from({ length: 513 }, () => ({ type: 'function' })) };
      for (const time of [1, 2]) {
        verbatimTools(tools).wrapModelCall({ model: 'groq:llama', messages: [], tools: tools.slice(0, 129) }, () => {});
        await using named = await agentTools({ url: '${crowd.url}' }, { model: 'xai:grok-4' });
        await ofSdk(named).transformParams({ params, model: { provider: 'google', modelId: 'gemini-2.5-pro' } });
        await using unnamed = await agentTools({ url: '${crowd.url}' });
        unnamed.map((tool) => tool.inputSchema);
      }`;
    const env = { ...process.env, OPENAI_API_KEY: 'none', OPENAI_BASE_URL: provider.url };
    const before = provider.bodies().length;
    const { stderr } = await runTypescript(join(host!, 'node_modules', '.apis.mjs'), program, { cwd: host!, env });
    const asked = provider
      .bodies()
      .slice(before)
      .map((body) => JSON.stringify(body));
    expect(asked.map((body) => /"model":"(.*?)"/.exec(body)?.[1])).toEqual(['gpt-5.6', 'gpt-4o']);
    for (const body of asked) {
      expect(body).toContain('"type":"input_image"');
      expect(body).toContain('"strict":false');
    }
    const more = (label: string, most: number, count: number) =>
      `${label} takes at most ${most} tools in a request, and these are ${count}. Select some, or turn tool search on.`;
    const names = [0, 1, 2, 3, 4].map((index) => `"tool_${index}"`).join(', ');
    expect([...stderr.matchAll(/McpVerbatimWarning: (.*)/g)].map(([, words]) => words)).toEqual([
      ...[more('OpenAI', 128, 201), more('Groq', 128, 129), more('xAI', 200, 201), more('Google Gemini', 512, 513)],
      `No model is named, so these tools are sent in a form that OpenAI and Anthropic accept: ${names} and 195 more. Give the option "model"; "providerSafe": false sends every original.`,
    ]);
  },
);

test.skipIf(host === undefined)('A schema that is adapted and cut has both notes in the report', async () => {
  const properties = { a: { type: 'string', pattern: 'a'.repeat(1_300_000) } };
  await using large = await startServer([
    { definition: { name: 'large', inputSchema: { type: 'object', properties } } },
  ]);
  await using tools = await own().mcpTools({ url: large.url }, { model: 'openai:gpt-4o' });
  expect(tools[0]?.schema).toEqual({ type: 'object', properties: {} });
  const codes = tools.report[0]?.notes.map(({ code }) => code);
  expect(codes?.slice(-2)).toEqual(['adapted-schema', 'cut-schema']);
});

/** LangChain exists as ESM and as CommonJS, each with its own classes; see build.mjs. */
const script = (load: string) => `${load}
  const tools = await mcpTools(${JSON.stringify(stdioServer('plain'))}, { onInvalidArguments: 'throw' });
  const error = await tools[0].invoke({ type: 'tool_call', id: '1', name: 'echo', args: { text: {} } }).catch((thrown) => thrown);
  console.log(tools[0] instanceof StructuredTool, error instanceof ToolInputParsingException, error.cause instanceof InvalidArgumentsError);
  await tools.close();`;

test.skipIf(host === undefined).each([
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
])('The tools and errors of the module (%s) are of the classes that the program knows', (_kind, type, load) => {
  const source = type === 'module' ? script(load) : `${script(load)} })();`;
  expect(execFileSync(process.execPath, [`--input-type=${type}`, '-e', source], { cwd: host!, encoding: 'utf8' })).toBe(
    'true true true\n',
  );
});
