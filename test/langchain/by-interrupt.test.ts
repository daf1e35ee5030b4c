import { Annotation, Command, interrupt, MemorySaver, START, StateGraph, task } from '@langchain/langgraph';
import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { suspendedCalls } from '../../src/internal.js';
import { type ByInterrupt, pausing } from '../../src/langchain/call/by-interrupt.js';
import { mcpTools } from '../../src/langchain/index.js';
import { connect } from '../../src/mcp/index.js';
import type {
  CallOptions,
  CatalogueTool,
  Elicitation,
  ElicitationAnswer,
  McpError,
  Session,
  ToolResult,
} from '../../src/mcp/index.js';
import { type Exchange, startHttpServer } from '../../test-support/servers/http.js';
import { startAskingServer } from '../../test-support/servers/asking.js';
import { programPath, startProgram } from '../../test-support/servers/program.js';
import { until } from '../../test-support/waiting.js';

const paused = JSON.parse(readFileSync(new URL('./paused.json', import.meta.url), 'utf8')) as Record<string, unknown>;

const asks = (message: string) => ({
  message,
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
});

test('Before 2026-07-28, an answer never reaches a later question if a node runs again without its checkpoint', async () => {
  const server = await startProgram(programPath('sdk-v1.mjs'), ['http']);
  await using tools = await mcpTools({ url: server.url }, { elicit: { interrupt, task } });
  const asking = tools.find(({ name }) => name === 'asking');
  const args = { questions: [asks('Who are you?'), asks('And your friend?')], separately: true };
  const saver = new MemorySaver();
  const graph = new StateGraph(Annotation.Root({ answer: Annotation<unknown> }))
    .addNode('ask', async (_state, config) => ({ answer: await asking?.invoke(args, config) }))
    .addEdge(START, 'ask')
    .compile({ checkpointer: saver });
  const thread = { configurable: { thread_id: '1' } };
  const resumed = (name: string) =>
    graph.invoke(new Command({ resume: { action: 'accept', content: { name } } }), thread);
  await graph.invoke({}, thread);
  const before = structuredClone({ storage: saver.storage, writes: saver.writes });
  expect(JSON.stringify(await resumed('Ada'))).toContain('And your friend?');
  Object.assign(saver, before);
  await expect(resumed('Grace')).rejects.toThrow('The call that asked this is over');
  await server.close();
});

/** A graph with one node, which calls the tool `ask`, the first time with this signal. Each run is a thread. */
function asking(tools: Awaited<ReturnType<typeof mcpTools>>, signal?: AbortSignal) {
  const signals = [signal];
  const graph = new StateGraph(Annotation.Root({ answer: Annotation<unknown> }))
    .addNode('ask', async (_state, config) => {
      const own = signals.shift();
      return { answer: await tools[0]?.invoke({}, { ...config, ...(own && { signal: own }) }) };
    })
    .addEdge(START, 'ask')
    .compile({ checkpointer: new MemorySaver() });
  const thread = (id: number) => ({ configurable: { thread_id: String(id) } });
  return {
    run: (id: number) => graph.invoke({}, thread(id)),
    runAgain: (id: number) => graph.invoke(null, thread(id)),
    resume: (id: number, name: unknown = 'Ada') =>
      graph.invoke(new Command({ resume: { action: 'accept', content: { name } } }), thread(id)),
  };
}

test.each([
  ['was cancelled', 'CANCELLED', { answer: '{}' }, 2],
  ['has failed', 'HTTP_STATUS', { details: 'down', outcomeUnknown: true, status: 503, retryAfterMs: 7000 }, 1],
])(
  'In a run that is taken up again, a call that %s (%s) ends with %j, and is sent so often: %i',
  async (_, code, end, count) => {
    const caller = new AbortController();
    let calls = 0;
    await using server = await startHttpServer({
      'tools/call': ({ plain, status }: Exchange) => {
        if (++calls > 1) plain();
        else if (code === 'CANCELLED') caller.abort();
        else status(503, 'down', { 'retry-after': '7' });
      },
    });
    await using tools = await mcpTools({ url: server.url }, { elicit: { interrupt, task }, onFailure: 'throw' });
    const { run, runAgain } = asking(tools, caller.signal);
    await expect(run(1)).rejects.toMatchObject({ code });
    expect(await runAgain(1).catch((error: unknown) => error)).toMatchObject(end);
    expect(calls).toBe(count);
  },
);

test('A failure that a checkpoint stores has all that it has elsewhere', async () => {
  const error = { code: -32_050, message: 'boom', data: { why: 1 } };
  await using server = await startHttpServer({
    'tools/call': ({ json, message: { id } }: Exchange) => json({ jsonrpc: '2.0', id, error }),
  });
  const failed = async (more: object) => {
    await using tools = await mcpTools({ url: server.url }, { onFailure: 'throw', ...more });
    return (await tools[0]!.invoke({}).catch((thrown: unknown) => thrown)) as McpError;
  };
  const [plain, stored] = [await failed({}), await failed({ elicit: { interrupt, task } })];
  expect(plain).toMatchObject({ code: 'SERVER_ERROR', rpcCode: -32_050, data: { why: 1 } });
  expect([stored.message, Object.entries(stored)]).toEqual([plain.message, Object.entries(plain)]);
});

test('After forty unanswered questions, a later question is asked again until its answer fits, and so is the first', async () => {
  await using server = await startAskingServer();
  await using tools = await mcpTools({ url: server.url }, { elicit: { interrupt, task } });
  const { run, resume } = asking(tools);
  for (let id = 0; id <= 40; id++) expect(await run(id)).toHaveProperty('__interrupt__');
  expect(JSON.stringify(await resume(40, 7))).toContain('"problems":["');
  expect(await resume(40)).toEqual({ answer: 'You are Ada.' });
  expect(await resume(0)).toEqual({ answer: 'You are Ada.' });
});

test('The oldest of more than a hundred waiting calls is cancelled, and its outcome is unknown', async () => {
  await using server = await startAskingServer();
  await using tools = await mcpTools({ url: server.url }, { elicit: { interrupt, task }, onFailure: 'throw' });
  const { run, resume } = asking(tools);
  for (let id = 0; id <= 100; id++) await run(id);
  await until(() => server.cancelled.length === 1);
  await expect(resume(0)).rejects.toMatchObject({ code: 'CONNECTION_LOST', outcomeUnknown: true });
  expect(await resume(1)).toEqual({ answer: 'You are Ada.' });
});

test('A call waits a day for an answer, and ends with the tools, even in a session that stays open', async () => {
  await using server = await startAskingServer();
  await using session = await connect({ url: server.url }, { elicit: () => ({ action: 'decline' }) });
  const tools = await mcpTools(session, { elicit: { interrupt, task }, onFailure: 'throw' });
  const { run, resume } = asking(tools);
  const timers = vi.spyOn(globalThis, 'setTimeout');
  for (let id = 0; id < 3; id++) await run(id);
  const day = 86_400_000;
  expect(timers.mock.calls.filter(([, ms]) => ms === day)).toHaveLength(3);
  await tools.close();
  await until(() => server.cancelled.length === 3);
  await expect(resume(2)).rejects.toThrow('The call that asked this is over');
  expect(session.ended).toBe(false);
});

test('Results keep their digits in a resumed run, also those from its checkpoint', async () => {
  const digits = '12345678901234567890';
  const discovered = {
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    serverInfo: { name: 'asking', version: '1' },
  };
  const question = { method: 'elicitation/create', params: { mode: 'form', ...asks('Who are you?') } };
  await using server = await startHttpServer(({ message, response, result, json }) => {
    if (message.method === 'server/discover') result(discovered);
    else if (message.method === 'tools/list')
      result({ tools: [{ name: 'ask', inputSchema: { type: 'object' } }], resultType: 'complete' });
    else if (message.method !== 'tools/call')
      json({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'unknown' } });
    else if (!('inputResponses' in (message.params as object)))
      result({ resultType: 'input_required', inputRequests: { who: question } });
    else {
      const answer = `{"content":[],"structuredContent":{"id":${digits}},"resultType":"complete"}`;
      response.setHeader('content-type', 'application/json');
      response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${answer}}`);
    }
  });
  await using tools = await mcpTools({ url: server.url }, { elicit: { interrupt, task } });
  const twice = async (config: object) => [await tools[0]?.invoke({}, config), await tools[0]?.invoke({}, config)];
  const graph = new StateGraph(Annotation.Root({ answers: Annotation<unknown> }))
    .addNode('ask', async (_state, config) => ({ answers: await twice(config) }))
    .addEdge(START, 'ask')
    .compile({ checkpointer: new MemorySaver() });
  const thread = { configurable: { thread_id: '1' } };
  const resume = (name: unknown) =>
    graph.invoke(new Command({ resume: { action: 'accept', content: { name } } }), thread);
  await graph.invoke({}, thread);
  await resume('Ada');
  expect(JSON.stringify(await resume(7))).toContain('"problems":["');
  expect(await resume('Ada')).toEqual({ answers: [`{"id":${digits}}`, `{"id":${digits}}`] });
});

test.each(['2026-07-28', '2025-11-25'])(
  'Each step of a paused call is remembered under its own name, and every answer reaches its question (%s)',
  async (protocolVersion) => {
    const who = {
      mode: 'form',
      message: 'Who?',
      schema: { type: 'object' },
      check: ({ name }: { name?: string }) => ({ problems: name === 'Ada' ? [] : [`"${name}" is not Ada`] }),
      continuation: { requestState: 'who' },
    };
    const page = (at: string) => ({
      ...{ mode: 'url', message: `Pay ${at}.`, url: `https://${at}.example/pay`, host: `${at}.example` },
      continuation: { requestState: at },
    });
    const { signal } = new AbortController();
    const all = [who, page('one'), page('two'), page('three')].map((each) => ({ ...each, signal }));
    const questions = all as never as Elicitation[];
    const sent: unknown[] = [];
    const session = {
      protocolVersion,
      async callTool({ name }: { name: string }, args: unknown, options: CallOptions) {
        const { elicit, continuation, meta, signal } = options;
        const at = questions.findIndex((each) => each.continuation === continuation);
        const given: unknown[] = [];
        sent.push({ name, args, at, meta, given, isSignalled: signal !== undefined });
        for (const question of questions.slice(Math.max(at, 0))) given.push(await elicit!(question));
        const asked = [{ mode: 'url', message: 'Pay three.', action: 'accept' }];
        const texts = { rawText: { value: 'r' }, structuredText: { value: 's' } };
        return Object.defineProperties({ content: [], isError: false, asked }, texts);
      },
    } as unknown as Session; // only the members that are read
    const answers: unknown[] = [
      { action: 'accept' },
      ...[
        { action: 'accept', content: { name: 'Eve' } },
        { action: 'accept', content: { name: 'Ada' } },
      ],
      ...[{ action: 'cancel' }, 'yes', { action: 'accept' }],
    ];
    const shown: unknown[] = [];
    const steps: unknown[] = [];
    const elicit: ByInterrupt = {
      interrupt(value) {
        shown.push(value);
        return answers.shift();
      },
      task: (name, work) => async () => {
        const made: unknown = await work();
        steps.push([name, made]);
        return made;
      },
    };
    const waiting = suspendedCalls<Elicitation, ElicitationAnswer, ToolResult>(60_000);
    const tool = { name: 'pay', title: 'Pay' } as CatalogueTool;
    const options = { meta: { of: 'the call' }, signal };
    const result = await pausing(session, 'shop', elicit, waiting).callTool(tool, { n: 1 }, options);
    waiting.close();
    const seen = JSON.stringify({ sent, shown, steps, result }, (key, value: unknown) =>
      key === 'suspended' ? typeof value : value,
    );
    expect(JSON.parse(seen)).toEqual(paused[protocolVersion]);
  },
);

test('A call that breaks off is sent once, with a graph or without one, and nothing of it is remembered', async () => {
  let calls = 0;
  const callTool = () => {
    calls++;
    return Promise.reject(new TypeError('Odd.'));
  };
  const session = { protocolVersion: '2026-07-28', callTool } as unknown as Session; // as above
  const waiting = suspendedCalls<Elicitation, ElicitationAnswer, ToolResult>(60_000);
  const outside = () => {
    throw new Error('Called outside of a graph.');
  };
  for (const task of [(_name: string, work: () => Promise<unknown>) => work, outside]) {
    const { callTool: call } = pausing(session, 's', { interrupt, task }, waiting);
    await expect(call({ name: 't' } as CatalogueTool, {})).rejects.toThrow('Odd.');
  }
  expect(calls).toBe(2);
});
