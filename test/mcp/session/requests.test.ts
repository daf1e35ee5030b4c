import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Transport } from '../../../src/mcp/transport/transport.js';
import type { Elicitation } from '../../../src/mcp/elicitation/elicitation.js';
import { McpError } from '../../../src/mcp/errors/errors.js';
import { HttpFailure, Unauthorized } from '../../../src/mcp/errors/failures.js';
import { requester, type RequesterOptions, type SendOptions } from '../../../src/mcp/session/requests.js';
import { secretMask } from '../../../src/secrets/index.js';
import { pause, unlessAborted } from '../../../src/mcp/runtime/timers.js';
import { settled } from '../../../test-support/waiting.js';
import { failureOf } from '../calling.js';
import { opened } from '../scripted.js';
import everything from './requests.json' with { type: 'json' };

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }));

const pass = async (ms: number) => {
  await vi.advanceTimersByTimeAsync(ms);
  await settled();
};

/** The requests of a session whose server is the test itself. */
async function given(more: Partial<RequesterOptions> & { transport?: Partial<Transport>; stateless?: boolean } = {}) {
  const { transport, stateless, ...options } = more;
  const server = await opened(transport);
  if (stateless) server.connection.envelope = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const ask = requester({
    server: 'http://server.test/mcp',
    mask: secretMask(),
    idleTimeoutMs: 60_000,
    elicit: undefined,
    current: () => server.connection,
    closed: () => undefined,
    reconnect: () => Promise.reject(new Error('Nobody reconnects here.')),
    pause: (ms, signal) => unlessAborted(pause(ms, signal), signal),
    ...options,
  });
  const call = (send?: SendOptions) => ask('tools/call', { name: 'a' }, send);
  /** The methods that were sent, without cancellations. */
  const methods = () =>
    server.sent.map(({ message }) => message.method).filter((method) => method !== 'notifications/cancelled');
  /** Answers the latest request. */
  const answer = async (answered: object) => {
    await settled();
    const { message } = server.sent.findLast(({ message: { id, method } }) => id !== undefined && method)!;
    server.receive({ id: message.id, ...answered });
    await settled();
  };
  const refuse = (error: Error) => server.sent.at(-1)!.refuse(error);
  return { ...server, ask, call, methods, answer, refuse };
}

const result = { content: [] };
const lost = () => new Error('socket hang up');

test.each<[string, SendOptions, number]>([
  ["of the request, before the session's", { idleTimeoutMs: 200 }, 200],
  ['of the session', {}, 1000],
])('The idle time limit of a request is that %s', async (_, send, limit) => {
  const transport = { diagnostics: () => 'It printed noise.' };
  const { call, methods, sent } = await given({ idleTimeoutMs: 1000, transport });
  const failure = failureOf(call(send));
  await pass(limit - 1);
  expect(methods()).toEqual(['tools/call']);
  await pass(1);
  expect(await failure).toMatchObject({ code: 'TIMEOUT', idleTimeoutMs: limit, outcomeUnknown: true });
  const message = `http://server.test/mcp did not answer tools/call within ${limit} ms. It printed noise.`;
  expect((await failure).message).toBe(message);
  expect(sent.map(({ message }) => message.method)).toEqual(['tools/call', 'notifications/cancelled']);
});

test.each<[string, string, SendOptions, Partial<RequesterOptions>, number]>([
  ['an hour', 'tools/call', { idleTimeoutMs: 3_000_000 }, {}, 3_600_000],
  ['what is said', 'tools/call', { idleTimeoutMs: 2_000_000, maxDurationMs: 2_500_000 }, {}, 2_500_000],
  ['more if one silence may last longer', 'tools/call', { idleTimeoutMs: 5_000_000 }, {}, 5_000_000],
  ['more if any silence of the session may', 'tools/call', {}, { idleTimeoutMs: 5_000_000 }, 5_000_000],
  ['for a call that may be sent twice the same', 'tools/call', { mayRepeat: true, maxDurationMs: 1e6 }, {}, 1e6],
  ['for a request that only reads the same', 'prompts/get', { maxDurationMs: 1e6 }, {}, 1e6],
])(
  'The total time limit of a request is %s, whatever progress is reported',
  async (_, method, send, session, limit) => {
    const { ask, receive, methods } = await given({ idleTimeoutMs: limit, ...session });
    const ended = vi.fn();
    const failure = failureOf(ask(method, { name: 'a' }, { onProgress: () => {}, ...send })).finally(ended);
    await pass(limit * 0.6);
    receive({ method: 'notifications/progress', params: { progressToken: 0, progress: 1 } });
    await pass(limit * 0.4 - 1);
    expect(ended).not.toHaveBeenCalled();
    await pass(1);
    const outcomeUnknown = method === 'tools/call';
    expect(await failure).toMatchObject({ code: 'TIMEOUT', idleTimeoutMs: limit, outcomeUnknown });
    expect((await failure).message).toBe(`The server did not finish ${method} within ${limit} ms in all.`);
    expect(methods()).toEqual([method]);
  },
);

test('Everything that a request is given reaches the server, each of two, and again if an answer was lost', async () => {
  const { ask, sent, receive } = await given({ stateless: true });
  const reports: number[][] = [];
  const replies = [everything.acme, everything.else].map((send, at) => {
    const onProgress = ({ progress }: { progress: number }) => void reports.push([at, progress]);
    return ask('tools/call', everything.params, { ...send, onProgress, mayRepeat: at === 0 });
  });
  await settled();
  await sent[0]!.refuse(lost());
  expect(sent.map(({ outgoing: { text, headers } }) => [text, headers])).toEqual(everything.sent);
  for (const [id, of] of ['', 'else', 'acme'].entries()) {
    receive({ method: 'notifications/progress', params: { progressToken: id, progress: 5 + id } });
    if (id > 0) receive({ id, result: { content: [], of } });
  }
  const [one, other] = await Promise.all(replies);
  expect([one!.result, other!.result].map(({ of }) => of)).toEqual(['acme', 'else']);
  expect(Object.fromEntries(reports)).toEqual({ 0: 7, 1: 6 });
  expect(vi.getTimerCount()).toBe(0);
});

test('The error of a cancelled request does not name the total time limit', async () => {
  const caller = new AbortController();
  const { ask } = await given();
  const options = { signal: caller.signal, maxDurationMs: 1000, idleTimeoutMs: 5000 };
  const failure = failureOf(ask('tools/call', {}, options));
  caller.abort();
  vi.advanceTimersByTime(1000);
  expect(await failure).toMatchObject({ code: 'CANCELLED', message: 'tools/call was cancelled by the caller.' });
});

describe('A request that the server rejected unread', () => {
  const forgotten = () => new HttpFailure(404, '');

  test.each([
    [60_000, 10_000],
    [5_000, 5_000],
  ])(
    'A ping about a forgotten session is waited for as long as one silence, %i ms, but no more than %i',
    async (idleTimeoutMs, limit) => {
      const { call, refuse, methods } = await given({ transport: { sessionId: 's' }, idleTimeoutMs });
      const ended = vi.fn();
      const failure = failureOf(call()).finally(ended);
      await refuse(forgotten());
      await pass(limit - 1);
      expect([methods(), ended.mock.calls]).toEqual([['tools/call', 'ping'], []]);
      await pass(1);
      expect(await failure).toMatchObject({ code: 'HTTP_STATUS', status: 404 });
      expect(methods()).toEqual(['tools/call', 'ping']);
    },
  );

  test('A request that was rejected because the user has to agree first is sent once more afterwards', async () => {
    let agree = () => {};
    const finishAuthorization = vi.fn(() => new Promise<void>((resolve) => (agree = resolve)));
    const { call, refuse, methods, answer } = await given({ transport: { endpoint: { finishAuthorization } } });
    const reply = call();
    await pass(59_999);
    await refuse(new Unauthorized(undefined, true));
    // The idle timeout does not run until then, and begins anew.
    await pass(1_000_000);
    expect(methods()).toEqual(['tools/call']);
    agree();
    await pass(59_999);
    expect(methods()).toEqual(['tools/call', 'tools/call']);
    await answer({ result });
    expect(await reply).toMatchObject({ result });
    expect(finishAuthorization).toHaveBeenCalledOnce();
  });

  const nobodyKnowsWhen = new Unauthorized(undefined, true);
  const finished = { endpoint: { finishAuthorization: () => Promise.resolve() } };
  test.each<[string, Error, Partial<Transport>, McpError['code']]>([
    ['without a session to forget', forgotten(), {}, 'HTTP_STATUS'],
    ['for its token, if nobody was asked to agree,', new Unauthorized(), finished, 'AUTHORIZATION_REQUIRED'],
    ['for its token, if nobody can tell when the user is done,', nobodyKnowsWhen, {}, 'AUTHORIZATION_REQUIRED'],
    ['with its session, if no other one can be opened,', forgotten(), { sessionId: 's' }, 'CONNECTION_LOST'],
  ])('A request that was rejected %s is not sent again', async (_, error, transport, code) => {
    const { call, refuse, methods } = await given({ transport });
    const failure = failureOf(call());
    for (let requests = 1; requests <= 2; requests++) await refuse(error); // a ping may follow
    expect(await failure).toMatchObject({ code, outcomeUnknown: false });
    expect(methods().filter((method) => method !== 'ping')).toEqual(['tools/call']);
  });
});

test('A request that was cancelled while the user had to agree is not sent', async () => {
  let agree = () => {};
  const finishAuthorization = () => new Promise<void>((resolve) => (agree = resolve));
  const { call, refuse, methods } = await given({ transport: { endpoint: { finishAuthorization } } });
  const caller = new AbortController();
  const failure = failureOf(call({ signal: caller.signal }));
  await refuse(new Unauthorized(undefined, true));
  caller.abort();
  agree();
  expect(await failure).toMatchObject({ code: 'CANCELLED' });
  await settled();
  expect(methods()).toEqual(['tools/call']);
});

test('A request whose answer was lost is sent again only after a network error, or a wait of ten seconds at most', async () => {
  const { ask, call, refuse, methods } = await given();
  const failure = failureOf(call({ mayRepeat: true }));
  await refuse(new HttpFailure(500, ''));
  expect(await failure).toMatchObject({ status: 500 });
  expect(methods()).toEqual(['tools/call']);
  const busy = (retryAfterMs: number) => new HttpFailure(503, '', undefined, retryAfterMs);
  const twice = failureOf(ask('prompts/get', {}));
  await refuse(busy(10_000));
  await pass(9_999);
  expect(methods()).toEqual(['tools/call', 'prompts/get']);
  await pass(1);
  await refuse(busy(1));
  const once = failureOf(ask('prompts/get', {}));
  await refuse(busy(10_001));
  expect([await twice, await once]).toMatchObject([{ retryAfterMs: 1 }, { retryAfterMs: 10_001 }]);
  expect(methods()).toEqual(['tools/call', 'prompts/get', 'prompts/get', 'prompts/get']);
});

test.each<[string, Error, McpError['code']]>([
  ['lost again', lost(), 'CONNECTION_LOST'],
  ['not received the second time', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), 'CONNECTION_LOST'],
  ['answered then with a status that leaves it open', new HttpFailure(502, ''), 'HTTP_STATUS'],
])('A request whose answer was lost and %s says that it was sent twice', async (_, second, code) => {
  const { call, refuse, methods } = await given();
  const failure = failureOf(call({ mayRepeat: true }));
  await refuse(lost());
  await refuse(second);
  const hint = 'It was sent twice, which its annotations allow, and no answer came.';
  expect(await failure).toMatchObject({ code, outcomeUnknown: true, hint });
  expect(methods()).toEqual(['tools/call', 'tools/call']);
});

test('A request whose answer was lost with the whole connection is not sent again', async () => {
  const once = await given();
  const failure = failureOf(once.call({ mayRepeat: true }));
  const gone = new McpError('The connection is gone.', { code: 'CONNECTION_LOST', hint: 'Connect again.' });
  once.receiver.ended(gone);
  expect(await failure).toMatchObject({ message: 'The connection is gone.', hint: 'Connect again.' });
  expect(once.methods()).toEqual(['tools/call']);

  const twice = await given();
  const second = failureOf(twice.call({ mayRepeat: true }));
  await twice.refuse(lost());
  twice.receiver.ended(gone);
  expect(await second).toMatchObject({ message: 'The connection is gone.', hint: 'Connect again.' });
});

describe("A server's question in the middle of a request", () => {
  const params = { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } };
  const accept = { action: 'accept' as const, content: { name: 'Ada' } };
  const asking = { method: 'elicitation/create', params };
  const askedFor = { requestState: 's1', resultType: 'input_required', inputRequests: { q: asking } };
  const question = { id: 'q1', ...asking };

  test.each(['tools/call', 'prompts/get', 'resources/read'])(
    'A question in the middle of a request (%s) is answered by the handler',
    async (method) => {
      const elicit = vi.fn((_: Elicitation) => accept);
      const { ask, receive, answer, sent } = await given({ elicit });
      const reply = ask(method, method === 'resources/read' ? { uri: 'a:b' } : { name: 'a' });
      await settled();
      receive(question);
      await settled();
      expect(sent.at(-1)!.message).toMatchObject({ id: 'q1', result: accept });
      await answer({ result });
      expect(await reply).toMatchObject({ result, asked: [{ message: 'Who?', action: 'accept' }] });
      expect(elicit.mock.calls[0]![0].tool).toBe(method === 'tools/call' ? 'a' : undefined);
    },
  );

  test('A question during a list, or without a handler, is not asked', async () => {
    const elicit = vi.fn(() => accept);
    const unasked = async (server: Awaited<ReturnType<typeof given>>, method: string) => {
      void server.ask(method, { name: 'a' }, { elicit });
      await settled();
      server.receive(question);
      await settled();
      expect(server.sent.at(-1)!.message).toMatchObject({ id: 'q1', error: { code: -32601 } });
    };
    await unasked(await given({ elicit }), 'tools/list');
    await unasked(await given(), 'tools/call');
    expect(elicit).not.toHaveBeenCalled();
  });

  test('A question can arrive before the request is sent, since the client listens first', async () => {
    let open = () => {};
    const listen = vi.fn(() => new Promise<void>((resolve) => (open = resolve)));
    const { call, methods } = await given({ elicit: () => accept, transport: { listen } });
    void call();
    await settled();
    expect(methods()).toEqual([]);
    open();
    await settled();
    expect(methods()).toEqual(['tools/call']);
    expect(listen).toHaveBeenCalledOnce();
  });

  test.each([
    ['in all', true, { maxDurationMs: 1000 }, 'The server did not finish tools/call within 1000 ms in all.'],
    ['of silence', false, { idleTimeoutMs: 1000 }, 'http://server.test/mcp did not answer tools/call within 1000 ms.'],
  ])('The time limit %s stands still during a question, and goes on after it', async (_, stateless, limit, message) => {
    const elicit = () => pause(5000, new AbortController().signal).then(() => accept);
    const { call, answer, receive } = await given({ elicit, stateless });
    const ended = vi.fn();
    const failure = failureOf(call(limit)).finally(ended);
    if (stateless) await answer({ result: askedFor });
    else await settled().then(() => receive(question));
    await pass(5999);
    expect(ended).not.toHaveBeenCalled();
    await pass(1);
    expect(await failure).toMatchObject({ code: 'TIMEOUT', message });
  });

  test('A question is not waited for once the request is cancelled', async () => {
    const caller = new AbortController();
    const listen = () => new Promise<void>(() => {});
    const { call, methods } = await given({ elicit: () => accept, transport: { listen } });
    const failure = failureOf(call({ signal: caller.signal }));
    caller.abort();
    expect(await failure).toMatchObject({ code: 'CANCELLED' });
    expect(methods()).toEqual([]);
  });

  test('A question is not asked again if the answer of its request was lost', async () => {
    const { call, answer, refuse, methods } = await given({ elicit: () => accept, stateless: true });
    const failure = failureOf(call({ mayRepeat: true }));
    await answer({ result: askedFor });
    await refuse(lost());
    expect(await failure).toMatchObject({ code: 'CONNECTION_LOST', asked: [{ action: 'accept' }] });
    expect((await failure).hint).toBeUndefined();
    expect(methods()).toEqual(['tools/call', 'tools/call']);
  });

  test('A rejected request with an answered question is sent again with the answer', async () => {
    const fresh = await given({ stateless: true });
    const { call, answer, refuse } = await given({
      elicit: () => accept,
      stateless: true,
      transport: { sessionId: 's' },
      reconnect: () => Promise.resolve(fresh.connection),
    });
    void call();
    await answer({ result: askedFor });
    await refuse(new HttpFailure(404, ''));
    await refuse(new HttpFailure(404, ''));
    expect(fresh.sent.at(-1)!.message.params).toMatchObject({ requestState: 's1', inputResponses: { q: accept } });
  });

  test("A question is not asked again if its handler throws, whatever the tool's annotations say", async () => {
    for (const stateless of [true, false]) {
      const elicit = vi.fn(() => Promise.reject(new Error('Nobody is at home.')));
      const { call, answer, receive, methods, sent } = await given({ elicit, stateless });
      const failure = failureOf(call({ mayRepeat: true }));
      await settled();
      if (stateless) await answer({ result: askedFor });
      else receive(question);
      expect(await failure).toMatchObject({ message: 'Nobody is at home.' });
      expect(elicit).toHaveBeenCalledOnce();
      expect(methods().filter((method) => method === 'tools/call')).toHaveLength(1);
      await settled();
      if (stateless) continue;
      const messages = sent.slice(1).map(({ message: { method, result: answered } }) => method ?? answered);
      expect(messages).toEqual(['notifications/cancelled', { action: 'cancel' }]);
    }
  });
});

describe('A request that becomes a task', () => {
  const task = { resultType: 'task', taskId: 't1', status: 'working', pollIntervalMs: 100 };

  async function begun(more: Parameters<typeof given>[0] = {}) {
    const server = await given({ stateless: true, ...more });
    const reply = server.call();
    reply.catch(() => {});
    await server.answer({ result: task });
    await pass(100);
    expect(server.methods()).toEqual(['tools/call', 'tasks/get']);
    return { ...server, reply };
  }

  test('A task is not polled again if the connection is gone or a poll is rejected, and is not cancelled', async () => {
    const gone = await begun();
    gone.receiver.ended(new McpError('It is gone.', { code: 'CONNECTION_LOST' }));
    expect(await failureOf(gone.reply)).toMatchObject({ message: 'It is gone.', outcomeUnknown: true });

    const refused = await begun();
    await refused.refuse(new HttpFailure(403, ''));
    const error = await failureOf(refused.reply);
    expect(error).toMatchObject({ code: 'FORBIDDEN', outcomeUnknown: true });
    expect(error.message).toContain('tasks/get');
    expect(refused.methods()).toEqual(['tools/call', 'tasks/get']);
  });

  test("A task's question is answered once, even if it is unknown whether the answer arrived", async () => {
    const params = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
    const { answer, refuse, reply, methods } = await begun({ elicit: () => ({ action: 'decline' }) });
    await answer({ result: { ...task, inputRequests: { q: { method: 'elicitation/create', params } } } });
    await refuse(lost());
    await pass(1000);
    expect(await failureOf(reply)).toMatchObject({ code: 'CONNECTION_LOST' });
    expect(methods()).toEqual(['tools/call', 'tasks/get', 'tasks/update']);
  });

  test('Requests about a task have the headers of its call without mirrored arguments, and a short limit for its end', async () => {
    const params = { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } };
    const accept = { action: 'accept' as const, content: { name: 'Ada' } };
    const { call, answer, sent } = await given({ elicit: () => accept, stateless: true });
    const caller = new AbortController();
    const headers = { 'x-tenant': 'acme', 'Mcp-Param-City': 'Oslo' };
    const ended = vi.fn();
    const failure = failureOf(call({ headers, signal: caller.signal })).finally(ended);
    await answer({ result: { ...task, pollIntervalMs: 300 } });
    await pass(299);
    expect(sent).toHaveLength(1);
    await pass(1);
    await answer({ result: { ...task, inputRequests: { q: { method: 'elicitation/create', params } } } });
    await answer({ result: {} });
    caller.abort();
    await pass(999);
    expect(ended).not.toHaveBeenCalled();
    await pass(1);
    expect(await failure).toMatchObject({ code: 'CANCELLED', outcomeUnknown: true });
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const own = { 'x-tenant': 'acme', 'mcp-protocol-version': '2026-07-28', 'mcp-name': 't1' };
    const wire = (about: string, more = {}) => [
      { taskId: 't1', ...more, _meta },
      { ...own, 'mcp-method': `tasks/${about}` },
    ];
    const asked = sent.slice(1, 4).map(({ message, outgoing }) => [message.params, outgoing.headers]);
    expect(asked).toEqual([wire('get'), wire('update', { inputResponses: { q: accept } }), wire('cancel')]);
  });

  test('A task survives polls that fail, after pauses that double up to ten seconds or that its server names', async () => {
    const { refuse, methods, answer, reply } = await begun();
    let polls = 1;
    const comesAfter = async (ms: number) => {
      await pass(ms - 1);
      expect(methods()).toHaveLength(1 + polls);
      await pass(1);
      expect(methods()).toHaveLength(1 + ++polls);
    };
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const statuses = [404, 429, 500, 502, 503].map((status) => new HttpFailure(status, ''));
    const errors = [lost(), refused, ...statuses, new HttpFailure(503, '', undefined, 12_000)];
    for (const [at, ms] of [500, 1000, 2000, 4000, 8000, 10_000, 10_000, 12_000].entries()) {
      await refuse(errors[at]!);
      await comesAfter(ms);
    }
    await pass(60_000); // no answer in time
    await comesAfter(10_000);
    await answer({ result: { ...task, pollIntervalMs: 700 } });
    await comesAfter(700);
    await refuse(lost());
    await comesAfter(500);
    await answer({ result: { taskId: 't1', status: 'failed', error: { code: 7, message: 'Full' } } });
    const message = 'The server answered tools/call with error 7: Full';
    expect(await failureOf(reply)).toMatchObject({ message, rpcCode: 7, outcomeUnknown: false });
    expect(new Set(methods())).toEqual(new Set(['tools/call', 'tasks/get']));
  });
});
