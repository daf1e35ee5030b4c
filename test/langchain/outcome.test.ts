import { describe, expect, test } from 'vitest';
import { mcpTools } from '../../src/langchain/index.js';
import type { HttpAddress, McpError } from '../../src/mcp/index.js';
import { type Exchange, type HttpServer, startHttpServer } from '../../test-support/servers/http.js';
import { until, withinSomeLimit } from '../../test-support/waiting.js';

const callsOf = (server: HttpServer) => server.methods().filter((method) => method === 'tools/call');

const failure = (work: Promise<unknown>): Promise<McpError> =>
  work.then(
    () => expect.fail('It did not fail.'),
    (error: unknown) => error as McpError, // the assertions check everything else
  );

/** The ways in which a program gives up a call of the first tool. */
const givenUp: [string, (tools: Awaited<ReturnType<typeof mcpTools>>, limitMs: number) => Promise<unknown>][] = [
  ['the timeout of a batch', (tools, timeout) => tools[0]!.batch([{}], { timeout })],
  ['the timeout of an invoke', (tools, timeout) => tools[0]!.invoke({}, { timeout })],
  ['AbortSignal.timeout', (tools, limitMs) => tools[0]!.invoke({}, { signal: AbortSignal.timeout(limitMs) })],
];

test.each(givenUp)('A call given up by %s after the server received it has an unknown outcome', async (_, giveUp) => {
  await using server = await startHttpServer({ 'tools/call': () => {} });
  const attempt = async (limitMs: number) => {
    await using tools = await mcpTools({ url: server.url }, { onFailure: 'throw' });
    const before = callsOf(server).length;
    const error = await failure(giveUp(tools, limitMs));
    return { error, received: callsOf(server).length - before };
  };
  const { error, received } = await withinSomeLimit(attempt, (end) => end.received === 1);
  expect(received).toBe(1);
  expect(error).toMatchObject({ outcomeUnknown: true });
});

test.each(givenUp)('A call given up by %s before it was written was not carried out', async (_, giveUp) => {
  await using server = await startHttpServer({});
  let isAway = false;
  const authProvider: NonNullable<HttpAddress['authProvider']> = {
    token: () => (isAway ? new Promise(() => {}) : Promise.resolve('token')),
  };
  await using tools = await mcpTools({ url: server.url, authProvider }, { onFailure: 'throw' });
  isAway = true;
  expect(await failure(giveUp(tools, 100))).toMatchObject({ outcomeUnknown: false });
  expect(callsOf(server)).toEqual([]);
  isAway = false;
});

test('A call given up by closing the tools has an unknown outcome', async () => {
  await using server = await startHttpServer({ 'tools/call': () => {} });
  const tools = await mcpTools({ url: server.url }, { onFailure: 'throw' });
  const failed = failure(tools[0]!.invoke({}));
  await until(() => callsOf(server).length === 1);
  await tools.close();
  expect(await failed).toMatchObject({ code: 'SESSION_CLOSED', outcomeUnknown: true });
});

describe('A call that has become a task', () => {
  const capabilities = { tools: {}, tasks: { requests: { tools: { call: {} } }, cancel: {} } };
  const tool = { name: 'pay', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } };
  const task = (status: string) => ({ taskId: 't', status, pollInterval: 100 });

  /** The test decides how the second poll ends. */
  function handler(failPoll: (exchange: Exchange, server: HttpServer) => unknown) {
    let polls = 0;
    let session = 1;
    const forget = () => session++;
    const handle = (exchange: Exchange, server: HttpServer) => {
      const { message, headers, introduce, plain, result, status, verb } = exchange;
      if (message.method === 'initialize') introduce({ capabilities }, { 'mcp-session-id': `s${session}` });
      else if (verb === 'POST' && headers['mcp-session-id'] !== `s${session}`) status(404);
      else if (message.method === 'tools/list') result({ tools: [tool] });
      else if (message.method === 'tools/call') result({ task: task('working') });
      else if (message.method === 'tasks/result') result({ content: [{ type: 'text', text: 'paid' }] });
      else if (message.method !== 'tasks/get') plain();
      else if (++polls === 2) failPoll(exchange, server);
      else result(task(polls > 3 ? 'completed' : 'working'));
    };
    return { handle, forget };
  }

  test('A task outlives a restart of the server', async () => {
    let restarted: Promise<HttpServer> | undefined;
    const { handle, forget } = handler((_exchange, server) => {
      forget();
      restarted = server.close().then(() => startHttpServer(handle, Number(new URL(server.url).port)));
    });
    const before = await startHttpServer(handle);
    await using tools = await mcpTools({ url: before.url });
    expect(await tools[0]!.invoke({})).toMatch(/^paid\n/);
    await using after = (await restarted)!;
    expect([...callsOf(before), ...callsOf(after)]).toHaveLength(1);
    expect([...before.methods(), ...after.methods()]).not.toContain('tasks/cancel');
  });

  test('A task without an answer to its polls is given up at the time limit, and its outcome is unknown', async () => {
    await using server = await startHttpServer(handler((_exchange, stopped) => void stopped.close()).handle);
    await using tools = await mcpTools({ url: server.url }, { maxDurationMs: 1000, onFailure: 'throw' });
    const error = await failure(tools[0]!.invoke({}));
    expect(error).toMatchObject({ code: 'TIMEOUT', outcomeUnknown: true });
    expect(error.message).toContain('did not finish tools/call within 1000 ms');
  });
});

describe('The outcome of a call without a result', () => {
  const tools = [
    { name: 'read', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
    { name: 'write', inputSchema: { type: 'object' } },
    { name: 'put', inputSchema: { type: 'object' }, annotations: { idempotentHint: true } },
  ];
  const ends: [string, (exchange: Exchange) => unknown][] = [
    ['timed out', () => {}],
    ['was answered with HTTP 502', ({ status }) => status(502)],
    ['lost its connection', ({ response }) => response.destroy()],
  ];

  test.each(ends)('After a call that %s, the outcome is unknown unless the tool only reads', async (_, end) => {
    await using server = await startHttpServer({ 'tools/list': { tools }, 'tools/call': end });
    const timeouts = { read: 300, write: 300, put: 300 };
    await using all = await mcpTools({ url: server.url }, { onFailure: 'throw', timeouts });
    const failures = await Promise.all(all.map((tool) => failure(tool.invoke({}))));
    expect(failures.map(({ outcomeUnknown }) => outcomeUnknown)).toEqual([false, true, true]);
  });

  test('A time limit for an unknown tool is reported', async () => {
    await using server = await startHttpServer({});
    await using all = await mcpTools({ url: server.url }, { timeouts: { other: 5 } });
    expect(all.report[0]!.notes).toContainEqual(expect.objectContaining({ code: 'unknown-tool' }));
  });
});
