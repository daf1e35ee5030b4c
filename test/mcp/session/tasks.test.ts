import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CallPaused, decline } from '../../../src/mcp/index.js';
import type { CallOptions, ConnectOptions, Continuation, Elicit, Progress } from '../../../src/mcp/index.js';
import type { Exchange } from '../../../test-support/servers/http.js';
import { until } from '../../../test-support/waiting.js';
import { failureOf, textOf, toolNamed } from '../calling.js';
import { sessionWith } from '../server-program.js';
import { given, closeAfterEach, connected } from '../serving.js';

closeAfterEach();

/** Servers that run every call as a task. */
describe.each([
  ['SDK v1 over stdio', 'tasks-v1.mjs', 'stdio', '2025-11-25'],
  ['SDK v1 over HTTP', 'tasks-v1.mjs', 'http', '2025-11-25'],
  ['SDK v2 over stdio', 'tasks-v2.mjs', 'stdio', '2026-07-28'],
  ['SDK v2 over HTTP', 'tasks-v2.mjs', 'http', '2026-07-28'],
])('given a server of %s that insists on tasks', (_, script, kind, revision) => {
  // The server asks for 100 ms between two polls, and goes on when it is polled.
  beforeEach(() => {
    const { setTimeout: wait } = globalThis;
    vi.stubGlobal('setTimeout', (work: () => void, ms: number) => wait(work, ms === 100 ? 1 : ms));
  });
  afterEach(() => void vi.unstubAllGlobals());

  const shared = sessionWith(script, [kind], { elicit: decline });

  async function called(name: string, options: CallOptions = {}) {
    expect(shared.session.protocolVersion).toBe(revision);
    return await shared.session.callTool((await shared.session.listTools()).find(name)!, {}, options);
  }
  /** Over HTTP the server prints the requests that it gets. */
  const isCancelled = async () => {
    if (kind === 'http') await until(() => shared.program!.printed.at(-1)!.startsWith('tasks/cancel '));
  };

  test('A call of a server that insists on tasks is followed to its result, with progress', async () => {
    const reports: Progress[] = [];
    const result = await called('report', { onProgress: (report) => reports.push(report) });
    expect(result).toMatchObject({ isError: false, structuredContent: { n: 1 }, structuredText: '{"n":1}' });
    expect(textOf(result)).toBe('done');
    expect(JSON.parse(result.rawText!)).toEqual(result.raw);
    expect(reports).toEqual([
      { progress: 1, message: 'Begun' },
      { progress: 2, message: 'Half done' },
    ]);
  });

  test('A question during a task is answered', async () => {
    const answer = { action: 'accept' as const, content: { name: 'Ada' } };
    const elicit = vi.fn<Elicit>(() => answer);
    const result = await called('asking', { elicit });
    expect(JSON.parse(textOf(result))).toEqual(answer);
    expect(elicit.mock.calls).toMatchObject([[{ message: 'Who are you?', tool: 'asking' }]]);
    expect(result.asked).toMatchObject([answer]);
  });

  test('An error of the handler fails the call and cancels the task', async () => {
    const elicit = () => Promise.reject(new Error('Nobody is at home.'));
    await expect(called('asking', { elicit })).rejects.toThrow('Nobody is at home.');
    await isCancelled();
  });

  test("A task's failure is reported", async () => {
    const outcome = await called('broken').catch((error: unknown) => error);
    expect(outcome instanceof Error ? outcome.message : textOf(outcome as never)).toContain('The disk is full.');
  });

  test('A task that the server cancels gives an error that says why', async () => {
    const error = await failureOf(called('gone'));
    expect(error).toMatchObject({ code: 'SERVER_ERROR', outcomeUnknown: true });
    expect(error.message).toContain('The operator has stopped it.');
  });

  test('A cancelled call cancels its task', async () => {
    const caller = new AbortController();
    const onProgress = () => caller.abort();
    const ended = failureOf(called('endless', { signal: caller.signal, onProgress }));
    expect(await ended).toMatchObject({ code: 'CANCELLED' });
    await isCancelled();
  });
});

describe('a task', () => {
  const task = { resultType: 'task', taskId: 't1', status: 'working', pollIntervalMs: 1 };
  const question = (name: string) => ({
    method: 'elicitation/create',
    params: { message: name, requestedSchema: { type: 'object', properties: { [name]: { type: 'string' } } } },
  });
  const ended = { taskId: 't1', status: 'completed', result: { content: [{ type: 'text', text: 'done' }] } };
  const waiting = (inputRequests: object) => ({ ...task, status: 'input_required', inputRequests });

  /** A server of 2026-07-28 that makes a task of every request, and answers requests about it by this function. */
  async function tasked(about: (exchange: Exchange) => unknown, capabilities: object = { tools: {} }) {
    const server = await given((exchange) => {
      const { message, result } = exchange;
      if (message.method === 'server/discover') result({ supportedVersions: ['2026-07-28'], capabilities });
      else if (message.method.startsWith('tasks/')) about(exchange);
      else result(task);
    });
    const open = (options: ConnectOptions = {}) => connected(server, { revisions: 'stateless-first', ...options });
    return { server, open, calls: () => server.methods().filter((method) => method === 'tools/call') };
  }

  test('A task keeps running if a handler pauses the call, and is continued in another session', async () => {
    const inputRequests = { who: question('who'), why: question('why') };
    let answers: unknown;
    const { server, open, calls } = await tasked(({ message, result }) => {
      if (message.method === 'tasks/update') answers = message.params?.['inputResponses'];
      result(message.method === 'tasks/update' ? {} : answers ? ended : waiting(inputRequests));
    });
    let continuation: Continuation | undefined;
    const first = await open({
      elicit: ({ message, continuation: here }) => {
        if (message === 'who') return { action: 'accept', content: { who: 'Ada' } };
        continuation = here;
        throw new CallPaused();
      },
    });
    await expect(first.callTool(toolNamed('slow'), {})).rejects.toBeInstanceOf(CallPaused);
    await first.close();
    const accepted = (content: object) => ({ action: 'accept', content });
    expect(continuation).toEqual({ taskId: 't1', inputRequests, inputResponses: { who: accepted({ who: 'Ada' }) } });

    const elicit = vi.fn<Elicit>(() => ({ action: 'accept', content: { why: 'To see.' } }));
    const second = await open({ elicit });
    const again = JSON.parse(JSON.stringify(continuation)) as Continuation;
    expect(textOf(await second.callTool(toolNamed('slow'), {}, { continuation: again }))).toBe('done');
    expect(elicit).toHaveBeenCalledOnce();
    expect(answers).toEqual({ who: accepted({ who: 'Ada' }), why: accepted({ why: 'To see.' }) });
    expect(calls()).toHaveLength(1);
    expect(server.methods()).not.toContain('tasks/cancel');
  });

  test('A task whose server asks for a wait of centuries is not polled in the meantime', async () => {
    const { server, open } = await tasked(({ status }) => status(503, '', { 'retry-after': '9999999999' }));
    const session = await open();
    const failure = await failureOf(session.callTool(toolNamed('slow'), {}, { maxDurationMs: 300 }));
    expect(failure).toMatchObject({ code: 'TIMEOUT', outcomeUnknown: true });
    expect(server.methods().filter((method) => method === 'tasks/get')).toHaveLength(1);
  });
});
