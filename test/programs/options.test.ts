import { describe, expect, onTestFinished, test } from 'vitest';
import type * as Library from '../../src/index.js';
import type * as LangChain from '../../src/langchain/index.js';
import { type Exchange, startHttpServer } from '../../test-support/servers/http.js';
import { integer, object, string } from '../../test-support/schemas/short.js';
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
  const server = await startHttpServer((exchange) => {
    const { method } = exchange.message;
    const introduction = { capabilities: { tools: {} }, serverInfo: { name: 'http', version: '1' } };
    if (method === 'initialize') exchange.result({ ...introduction, protocolVersion: '2025-11-25' }, headers);
    else if (method === 'tools/list') exchange.result({ tools: [{ name: 'it', inputSchema, ...more }] });
    else if (method === 'tools/call') answer(exchange);
    else exchange.plain();
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
  ])('%j, of which %j is sent: %s', async (options, args, isSent) => {
    const server = await serving();
    const { isError, code } = await call(server, options, args);
    expect([isError, server.calls()]).toEqual([!isSent, isSent ? 1 : 0]);
    expect(code).toBe(isSent ? undefined : 'INVALID_ARGUMENTS');
  });

  test.each<[Options, { isError: boolean; warnings: number }]>([
    [{ outputSchema: 'ignore' }, { isError: false, warnings: 0 }],
    [{}, { isError: false, warnings: 1 }],
    [{ outputSchema: 'fail' }, { isError: true, warnings: 0 }],
  ])('%j, where a result is not as promised', async (options, expected) => {
    const outputSchema = object({}, { required: ['n'] });
    const server = await serving(({ result }) => result({ content: [], structuredContent: {} }), { outputSchema });
    expect(await call(server, options, {})).toMatchObject(expected);
  });

  test.each<[Options, words: string]>([
    [{ idleTimeoutMs: 1500 }, 'within 1500 ms'],
    [{ timeouts: { it: 300 } }, 'within 300 ms'],
    [{ maxDurationMs: 700 }, 'within 700 ms in all'],
  ])('%j ends a call that is not answered', async (options, words) => {
    const server = await serving(({ progress }) => {
      if (options?.maxDurationMs !== undefined) progress();
    });
    const { isError, code, text } = await call(server, options, {});
    expect([isError, code]).toEqual([true, 'TIMEOUT']);
    expect(text).toContain(words);
  });

  test('clientInfo is how the client calls itself', async () => {
    const server = await serving();
    await call(server, { clientInfo: { name: 'of the test', version: '7' } }, {});
    const { params } = server.seen.find(({ message }) => message.method === 'initialize')!.message;
    expect(params).toMatchObject({ clientInfo: { name: 'of the test', version: '7' } });
  });

  test('signal ends connecting and listing', async () => {
    const server = await serving();
    const calling = call(server, { signal: AbortSignal.abort() }, {});
    await expect(calling).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(server.methods()).toEqual([]);
  });

  test('maxResultLength shortens what the model reads', async () => {
    const content = [{ type: 'text', text: 'x'.repeat(5000) }];
    const server = await serving(({ result }) => result({ content }));
    expect((await call(server, {}, {})).text).toHaveLength(5000);
    expect((await call(server, { maxResultLength: 300 }, {})).text.length).toBeLessThanOrEqual(300);
  });

  test('closing the tools ends their sessions, and if opening fails, no session is left', async () => {
    const server = await serving(undefined, {}, { 'mcp-session-id': 's1' });
    const ended = () => server.seen.filter(({ verb }) => verb === 'DELETE').length;
    await call(server, {}, {});
    expect(ended()).toBe(1);
    await expect(call(server, { exclude: ['misspelt'] }, {})).rejects.toThrow('misspelt');
    expect(ended()).toBe(2);
  });

  test('headers of an address go with every request', async () => {
    const server = await serving();
    await call({ url: server.url, headers: { 'x-key': 'k' } } as { url: string }, {}, {});
    expect(new Set(server.seen.map(({ headers }) => headers['x-key']))).toEqual(new Set(['k']));
  });
});

test.each([
  ['xai.chat', true],
  ['xai.responses', false],
])('A model of the AI SDK, %s, tells agentTools the API: patterns are sent is %s', async (provider, isSent) => {
  const pattern = object({ code: { ...string, pattern: '^x$' } });
  const server = await serving(undefined, { inputSchema: pattern });
  await using tools = await agentTools(server, { model: { provider, modelId: 'grok-4' } });
  expect(JSON.stringify(tools[0]!.inputSchema).includes('"pattern":')).toBe(isSent);
});

test('A call of a tool of agentTools takes headers and metadata, and reports its progress', async () => {
  const server = await serving(({ message, response, stream }) => {
    const send = stream();
    const { progressToken } = (message.params as { _meta: { progressToken: unknown } })._meta;
    send({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
    send({ id: message.id, result: { content: [] } });
    response.end();
  });
  const heard: string[] = [];
  await using tools = await agentTools(server, { onProgress: (_, { tool }) => heard.push(tool) });
  const onProgress = ({ progress }: { progress: number }) => heard.push(String(progress));
  await tools[0]!.call({}, { headers: { 'x-tenant': 'acme' }, meta: { trace: 't' }, onProgress });
  const { headers, message } = server.seen.find(({ message: { method } }) => method === 'tools/call')!;
  expect(headers['x-tenant']).toBe('acme');
  expect(message.params).toMatchObject({ _meta: { trace: 't' } });
  expect(heard).toEqual(['it', '1']);
});
