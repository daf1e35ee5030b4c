import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type * as Library from '../../src/index.js';
import type * as AiSdk from '../../src/frameworks/ai-sdk.js';
import type * as LangChain from '../../src/langchain/index.js';
import { freePort } from '../../test-support/free-port.js';
import { serverCode } from '../../test-support/servers/code.js';
import { type Exchange, startHttpServer } from '../../test-support/servers/http.js';
import { integer, object, string } from '../../test-support/schemas/short.js';
import { until } from '../../test-support/waiting.js';
import { toolCall } from '../langchain/tools.js';

const built = (file: string) => new URL(`../../packages/mcp-verbatim/dist/esm/${file}.js`, import.meta.url).href;
const { agentTools } = (await import(built('index'))) as typeof Library; // built from it
const { mcpTools } = (await import(built('langchain'))) as typeof LangChain; // built from it

/** The options that both take. */
type Options = Parameters<typeof agentTools>[1] & Parameters<typeof mcpTools>[1];

interface Called {
  readonly isError: boolean;
  readonly code: unknown;
  readonly text: string;
  readonly warnings: number;
}

const doors = {
  async agentTools(source: { url: string }, options: Options, args: object): Promise<Called> {
    await using tools = await agentTools(source, options);
    const { isError, error, text, warnings } = await tools[0]!.call(args);
    return { isError, text, code: (error as { code?: unknown } | undefined)?.code, warnings: warnings.length };
  },
  async mcpTools(source: { url: string }, options: Options, args: Record<string, unknown>): Promise<Called> {
    await using tools = await mcpTools(source, options);
    const said = (await tools[0]!.invoke(toolCall('it', args))) as unknown as {
      status: string;
      text: string;
      artifact: LangChain.McpToolArtifact;
    };
    const { error, warnings = [] } = said.artifact;
    const { code } = (error ?? {}) as { code?: unknown };
    return { isError: said.status === 'error', text: said.text, code, warnings: warnings.length };
  },
};

const inputSchema = object({ when: { ...string, format: 'date' }, open: { $ref: '#/nowhere' }, n: integer });

/** A server with one tool. */
async function serving(
  answer: (exchange: Exchange) => void = ({ result }) => result({ content: [] }),
  more = {},
  headers = {},
) {
  const server = await startHttpServer({
    initialize: ({ introduce }) => introduce({}, headers),
    'tools/list': { tools: [{ name: 'it', inputSchema, ...more }] },
    'tools/call': answer,
  });
  onTestFinished(() => server.close());
  return { ...server, calls: () => server.methods().filter((method) => method === 'tools/call').length };
}

describe.each(['agentTools', 'mcpTools'] as const)('An option of %s works', (name) => {
  const call = doors[name];

  test.each<[Options, args: Record<string, unknown>, isSent: boolean]>([
    [{}, { when: 'no date' }, true],
    [{ assertFormats: true }, { when: 'no date' }, false],
    [{}, { open: 1 }, false],
    [{ whenUndetermined: 'allow' }, { open: 1 }, true],
    [{}, { n: '5' }, true],
    [{ repairs: 'off' }, { n: '5' }, false],
  ])('With the options %j, the arguments %j are sent: %s', async (options, args, isSent) => {
    const server = await serving();
    const { isError, code } = await call(server, options, args);
    expect([isError, server.calls()]).toEqual([!isSent, isSent ? 1 : 0]);
    expect(code).toBe(isSent ? undefined : 'INVALID_ARGUMENTS');
  });

  test.each<[Options, { isError: boolean; warnings: number }]>([
    [{ outputSchema: 'ignore' }, { isError: false, warnings: 0 }],
    [{}, { isError: false, warnings: 1 }],
    [{ outputSchema: 'fail' }, { isError: true, warnings: 0 }],
  ])('The option %j decides what happens to a result that breaks its output schema', async (options, expected) => {
    const outputSchema = object({}, { required: ['n'] });
    const server = await serving(({ result }) => result({ content: [], structuredContent: {} }), { outputSchema });
    expect(await call(server, options, {})).toMatchObject(expected);
  });

  test.each<[Options, words: string]>([
    [{ idleTimeoutMs: 1500 }, 'within 1500 ms'],
    [{ timeouts: { it: 300 } }, 'within 300 ms'],
    [{ maxDurationMs: 700 }, 'within 700 ms in all'],
  ])('The time limit %j ends a call that is not answered', async (options, words) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { idleTimeoutMs, timeouts, maxDurationMs } = options!;
    const server = await serving(({ progress }) => {
      if (maxDurationMs !== undefined) progress();
      vi.advanceTimersByTime(idleTimeoutMs ?? timeouts?.['it'] ?? maxDurationMs!);
    });
    const { isError, code, text } = await call(server, options, {});
    expect([isError, code]).toEqual([true, 'TIMEOUT']);
    expect(text).toContain(words);
  });

  test('The option signal ends connecting and listing', async () => {
    const server = await serving();
    const calling = call(server, { signal: AbortSignal.abort() }, {});
    await expect(calling).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(server.methods()).toEqual([]);
  });

  test('Closing the tools ends their sessions, and failing to open them leaves none', async () => {
    const server = await serving(undefined, {}, { 'mcp-session-id': 's1' });
    const ended = () => server.seen.filter(({ verb }) => verb === 'DELETE').length;
    await call(server, {}, {});
    expect(ended()).toBe(1);
    await expect(call(server, { exclude: ['misspelt'] }, {})).rejects.toThrow('misspelt');
    expect(ended()).toBe(2);
  });
});

test.each(['agentTools', 'mcpTools'] as const)(
  'The first result after a restart of the process says so, with %s',
  async (name) => {
    const program = serverCode({
      results: `'tools/list': { tools: ['count', 'die'].map((name) => ({ name, inputSchema: { type: 'object' } })) },
        'tools/call': { structuredContent: { count: method === 'tools/call' ? ++global.count : 0 } },`,
      otherwise: "if (params?.name === 'die') process.exit(3);",
    });
    const source = { command: process.execPath, args: ['-e', `global.count = 0; ${program}`] };
    await using tools = await (name === 'agentTools' ? agentTools(source) : mcpTools(source));
    const call = async (wanted: string): Promise<Called['text']> => {
      const tool = tools.find((each) => each.name === wanted)!;
      if ('call' in tool && name === 'agentTools') return (await (tool as Library.AgentTool).call({})).text;
      return ((await (tool as LangChain.McpTool).invoke(toolCall(wanted, {}))) as unknown as { text: string }).text;
    };
    const again = 'The server was started again. State such as open pages is gone.';
    expect(await call('count')).toBe('{"count":1}');
    await call('die');
    expect(await call('count')).toContain(again);
    expect(await call('count')).toBe('{"count":2}');
  },
);

describe.each([
  ['agentTools', agentTools],
  ['mcpTools', mcpTools],
] as const)('A key of an entry for %s', (_, open) => {
  const url = 'http://127.0.0.1:1/mcp';
  // In JavaScript, or from a file, no type refuses them.
  const opened = (source: object) => open(source as { url: string });

  test.each<[object, string]>([
    [{ url, header: { a: 'b' } }, 'The server has no option "header". Did you mean "headers"?'],
    [{ uri: url }, 'Did you mean "url"?'],
    [{ command: 'node', arg: ['x'] }, 'Did you mean "args"?'],
    [{ mcpServers: { one: { url, header: {} } } }, 'The server "one" has no option "header".'],
    [{ mcpServers: { one: { comand: 'node' } } }, 'Did you mean "command"?'],
  ])('A misspelled key of an entry is an error that names the right one: %j', async (source, message) => {
    const opening = opened(source);
    await expect(opening).rejects.toBeInstanceOf(TypeError);
    await expect(opening).rejects.toMatchObject({ code: 'INVALID_CONFIGURATION' });
    await expect(opening).rejects.toThrow(message);
  });

  test('An unused key of an entry, of another client or another kind of server, gives a note in the report', async () => {
    const { url } = await serving();
    const foreign = { dev: {}, description: 'x', authorization: 'Bearer x', env: { A: 'b' }, disabled: false };
    const read = { headers: undefined, enabled: true, timeout: 3000 };
    await using tools = await opened({ mcpServers: { one: { url, ...foreign, ...read } }, inputs: [], $schema: url });
    const unread = tools.report[0]!.notes.filter(({ code }) => code === 'unknown-key');
    expect(unread.map(({ message }) => message)).toEqual(
      ['dev', 'description', 'authorization', 'env'].map(
        (key) => `Nothing reads the key "${key}" of the server's entry.`,
      ),
    );
  });
});

test.each([
  ['xai.chat', true],
  ['xai.responses', false],
])('A model of the AI SDK, %s, tells agentTools its API: patterns are sent: %s', async (provider, isSent) => {
  const pattern = object({ code: { ...string, pattern: '^x$' } });
  const server = await serving(undefined, { inputSchema: pattern });
  await using tools = await agentTools(server, { model: { provider, modelId: 'grok-4' } });
  expect(JSON.stringify(tools[0]!.inputSchema).includes('"pattern":')).toBe(isSent);
});

test("A model request through the AI SDK's middleware tries a lost server again and updates the report", async () => {
  const { verbatimTools } = (await import(built('ai-sdk'))) as typeof AiSdk; // as built from it
  const up = await serving();
  const port = await freePort();
  const mcpServers = { up: { url: up.url }, late: { url: `http://127.0.0.1:${port}/mcp` } };
  await using tools = await agentTools({ mcpServers });
  expect(tools.report.map(({ status }) => status)).toEqual(['connected', 'failed']);
  const { transformParams } = verbatimTools(tools);
  await transformParams({ params: {}, model: {} }); // in vain
  await tools.refresh();
  const late = await startHttpServer(({ plain }) => plain(), port);
  onTestFinished(() => late.close());
  await transformParams({ params: {}, model: {} });
  await until(() => tools.report[1]?.status === 'connected');
  expect(tools.map(({ name }) => name)).toContain('late__echo');
});
