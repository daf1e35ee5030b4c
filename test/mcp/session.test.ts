import { describe, expect, test, vi } from 'vitest';
import { connect, decline, type ConnectOptions, type Session } from '../../src/mcp/index.js';
import type { Exchange, HttpServer } from '../../test-support/servers/http.js';
import { until, withinSomeLimit } from '../../test-support/waiting.js';
import { failureOf, textOf, toolNamed } from './calling.js';
import { given, begun, closeAfterEach, closeLater, connected, echo, forgetful, times } from './serving.js';

closeAfterEach();

const verbs = (server: HttpServer, verb: string) => server.seen.filter((exchange) => exchange.verb === verb).length;

describe('Who the server is', () => {
  const opened = async (more: object) =>
    connected(await given({ initialize: ({ result }) => result({ ...begun, capabilities: { tools: {} }, ...more }) }));

  test('A session omits what the server does not say or says in another type', async () => {
    expect((await opened({ serverInfo: { name: 1, title: 2 } })).serverInfo).toEqual({ name: '', version: '' });
    const silent = await opened({});
    expect(silent).not.toHaveProperty('serverInfo');
    expect(silent).not.toHaveProperty('instructions');
    for (const capabilities of [null, []]) {
      const odd = await opened({ capabilities, instructions: ['be exact'] });
      expect(odd).not.toHaveProperty('instructions');
      expect((await odd.listTools()).tools).toHaveLength(1);
    }
  });
});

test.each([0, -1, Number.NaN, '5', null])('A maximum of %j bytes for a message is refused', async (maxMessageBytes) => {
  const options = { maxMessageBytes } as ConnectOptions;
  await expect(connect({ url: 'http://127.0.0.1:1/' }, options)).rejects.toThrow(TypeError);
});

test('Any number of sessions and calls may share a signal', async () => {
  const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
  const { url } = await given(({ plain }) => plain());
  const many = Array.from({ length: 11 });
  const opening = new AbortController();
  const sessions = await Promise.all(many.map(() => connect({ url }, { signal: opening.signal, elicit: decline })));
  sessions.forEach(closeLater);
  const calling = new AbortController();
  await Promise.all(many.map(() => sessions[0]!.callTool(toolNamed('echo'), {}, { signal: calling.signal })));
  expect(warned.mock.calls).toEqual([]);
  warned.mockRestore();
});

test("A server's output is reported when it does not answer in time", async () => {
  const server = {
    transport: 'stdio',
    command: 'sh',
    args: ['-c', 'echo Please log in; while read line; do :; done'],
  } as const;
  const error = await withinSomeLimit(
    (idleTimeoutMs) => failureOf(connect(server, { idleTimeoutMs })),
    ({ message }) => message.includes('Please log in'),
  );
  expect(error).toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining('Please log in') as string });
});

describe('notifications and requests of a server', () => {
  async function streaming() {
    const streams: ((message: object) => void)[] = [];
    return { streams, server: await given({ GET: ({ stream }) => streams.push(stream()) }) };
  }

  test('Notifications reach the listeners from when they begin to when they stop listening', async () => {
    const { server, streams } = await streaming();
    const session = await connected(server);
    const [first, second] = [vi.fn(), vi.fn()];
    const stop = session.onNotification(first);
    session.onNotification(second);
    await until(() => streams.length > 0);
    streams[0]?.({ method: 'notifications/message', params: { data: 1 } });
    await until(() => second.mock.calls.length === 1);
    expect(first.mock.calls).toEqual([['notifications/message', { data: 1 }]]);
    stop();
    streams[0]?.({ method: 'notifications/message', params: { data: 2 } });
    await until(() => second.mock.calls.length === 2);
    expect(first).toHaveBeenCalledOnce();
    expect(verbs(server, 'GET')).toBe(1);
  });

  test.each<[string, ConnectOptions]>([
    ['where somebody can be asked', { elicit: decline }],
    ['where somebody only listens', { onNotification: () => {} }],
  ])('The stream of notifications is waited for only briefly %s', async (_, options) => {
    const held: Exchange[] = [];
    const session = await connected(await given({ GET: (exchange) => held.push(exchange) }), options);
    expect(await echo(session)).toBe('{"a":1}');
    await until(() => held.length === 1);
  });

  test('A later listener gets notifications, also after the session was opened again', async () => {
    const streams: ((message: object) => void)[] = [];
    const { server, forget } = await forgetful({ GET: ({ stream }) => streams.push(stream()) });
    const session = await connected(server);
    const heard = vi.fn();
    session.onNotification(heard);
    await until(() => streams.length === 1);
    forget();
    expect(await echo(session)).toBe('{"a":1}');
    await until(() => streams.length === 2);
    streams[1]?.({ method: 'notifications/message', params: { data: 1 } });
    await until(() => heard.mock.calls.length === 1);
  });

  test('A request of the server outside a call is declined if it is a question, and answered with an error otherwise', async () => {
    const { server, streams } = await streaming();
    await connected(server, { elicit: () => ({ action: 'accept', content: {} }) });
    await until(() => streams.length > 0);
    streams[0]?.({ id: 'q1', method: 'elicitation/create', params: { message: 'Who?', requestedSchema: {} } });
    streams[0]?.({ id: 'q2', method: 'sampling/createMessage', params: {} });
    const answers = () => server.seen.map(({ body }) => body).filter((body) => 'id' in body && !('method' in body));
    await until(() => answers().length === 2);
    expect(answers().find(({ id }) => id === 'q1')).toMatchObject({ result: { action: 'decline' } });
    expect(answers().find(({ id }) => id === 'q2')).toHaveProperty('error');
  });
});

/** A session with a call that the server has not answered. */
async function withLateCall() {
  const held: Exchange[] = [];
  const { server, forget } = await forgetful({
    'tools/call': (exchange) => (held.length === 0 ? held.push(exchange) : exchange.plain()),
  });
  const session = await connected(server);
  const late = echo(session);
  await until(() => held.length === 1);
  return { server, session, forget, late, held: held[0]! };
}

/** The ended sessions, in that order. */
const ended = ({ seen }: HttpServer) =>
  seen.filter(({ verb }) => verb === 'DELETE').map(({ headers }) => headers['mcp-session-id']);

test('A session that the server forgot twice still returns the answer to a call of the first one', async () => {
  const { server, session, held, late, forget } = await withLateCall();
  for (let times = 2; times <= 4; times++) {
    forget();
    expect(await echo(session)).toBe('{"a":1}');
  }
  expect(ended(server)).toEqual(['s3', 's5']);
  held.plain();
  expect(await late).toBe('{"a":1}');
  expect(times(server, 'tools/call')).toBe(7);
  await until(() => ended(server).length === 3);
  expect(ended(server)).toEqual(['s3', 's5', 's1']);
});

test.each<[ConnectOptions, number]>([
  [{}, 60_000],
  [{ idleTimeoutMs: 7000 }, 7000],
])(
  'A session with the options %j waits %i ms for an answer, and for a notification to be taken',
  async (options, limit) => {
    const methods = ['tools/call', 'notifications/own'];
    const server = await given(Object.fromEntries(methods.map((method) => [method, () => {}])));
    const session = await connected(server, options);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const ended = vi.fn();
    const both = [echo(session), session.notify('notifications/own')].map((sent) => failureOf(sent).finally(ended));
    await until(() => methods.every((method) => times(server, method) === 1));
    await vi.advanceTimersByTimeAsync(limit - 1);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    const words = methods.map((method) => `${server.url} did not answer ${method} within ${limit} ms.`);
    expect((await Promise.all(both)).map(({ message }) => message)).toEqual(words);
  },
);

test('A list of tools is read until a session lasts, and at most six times', async () => {
  let lists = 0;
  const { server, forget } = await forgetful({
    'tools/list'({ status, plain }) {
      const isKept = ++lists > 12 || lists % 2 === 0;
      if (!isKept) forget();
      if (isKept) plain();
      else status(404);
    },
  });
  const session = await connected(server);
  expect(await failureOf(session.listTools())).toMatchObject({
    code: 'CONNECTION_FAILED',
    message: 'The server forgot its session again and again before tools/list was done.',
    hint: 'Check whether several servers stand behind this address without sharing their sessions.',
  });
  expect([lists, times(server, 'initialize')]).toEqual([12, 7]);
  expect((await session.listTools()).tools).toHaveLength(1);
});

test('A session that is closed ends the calls of the sessions that it replaced', async () => {
  const { server, session, forget, late } = await withLateCall();
  forget();
  await echo(session);
  const failure = failureOf(late);
  await session.close();
  expect(await failure).toMatchObject({ code: 'SESSION_CLOSED', outcomeUnknown: true });
  expect(ended(server).sort()).toEqual(['s1', 's3']);
});

const answer = (id: number, result: object) => JSON.stringify({ jsonrpc: '2.0', id, result });
const handshake = `read a; echo '${answer(0, begun)}'; read b`;
/** A server that does this after the handshake. */
const programThat = (script: string) =>
  ({ transport: 'stdio', command: 'sh', args: ['-c', `${handshake}; ${script}`] }) as const;

describe('A session that is closed', () => {
  test('A session that is closed while it is opened again is closed at once', async () => {
    let opened = 0;
    const server = await given({
      initialize: async ({ result }) => {
        if (++opened === 2) await session.close();
        result(begun, { 'mcp-session-id': `s${opened}` });
      },
      'tools/call': ({ status }) => status(404),
      ping: ({ status }) => status(404),
    });
    const session = await connected(server);
    expect(await failureOf(echo(session))).toMatchObject({ code: 'SESSION_CLOSED' });
    await until(() => verbs(server, 'DELETE') === 2);
  });

  test('Both closings of a session end when it is closed', async () => {
    const session = await connect({ url: (await given({})).url });
    const order: string[] = [];
    const first = session.close().then(() => order.push('first'));
    await session.close().then(() => order.push('second'));
    await first;
    expect(order).toEqual(['first', 'second']);
  });

  test('A closed session says so, answers nothing more, and is ended once at the server', async () => {
    const server = await given({
      initialize: ({ result }) => result(begun, { 'mcp-session-id': 's' }),
      'tools/call': () => {},
    });
    const session = await connect({ url: server.url });
    expect(session.ended).toBe(false);
    const underWay = failureOf(echo(session));
    await until(() => times(server, 'tools/call') === 1);
    await Promise.all([session.close(), session.close()]);
    await session[Symbol.asyncDispose]();
    expect(await underWay).toMatchObject({ code: 'SESSION_CLOSED' });
    expect(session.ended).toBe(true);
    expect(await failureOf(echo(session))).toMatchObject({ code: 'SESSION_CLOSED', message: 'The session is closed.' });
    expect(verbs(server, 'DELETE')).toBe(1);
    expect(times(server, 'tools/call')).toBe(1);
  });

  test('A session whose server has ended does not count as closed, and reports the reason from then on', async () => {
    const address = programThat(`read c; echo 'out of memory' >&2; exit 9`);
    const session = await connect({ ...address, env: { API_KEY: 'abcdef123' } });
    closeLater(session);
    expect((session as Session & { address: unknown }).address).toEqual(address);
    expect(session.ended).toBe(false);
    const call = () => session.callTool(toolNamed('echo'), {}).then(textOf);
    expect(await failureOf(call())).toMatchObject({ code: 'SERVER_EXITED', exitCode: 9 });
    expect(session.ended).toBe(true);
    expect(await failureOf(call())).toMatchObject({ code: 'SERVER_EXITED', exitCode: 9 });
  });

  test('A session whose server has ended never shows a hidden value of any call', async () => {
    const script = `read c; echo '${answer(1, { content: [] })}'; read d; read e; echo "$c $d $e" >&2; exit 9`;
    const session = await connect(programThat(script));
    closeLater(session);
    const call = async (note: string) => session.callTool(toolNamed('echo'), { note }, { hidden: { note } });
    await call('marble otter');
    const failures = await Promise.all(['granite heron', 'basalt finch'].map((note) => failureOf(call(note))));
    failures.push(await failureOf(session.callTool(toolNamed('echo'), {})), await failureOf(session.listTools()));
    for (const { code, message, stack } of failures) {
      expect(code).toBe('SERVER_EXITED');
      expect(message.match(/"note":"\[hidden\]"/g)).toHaveLength(3);
      expect(`${message} ${stack}`).not.toMatch(/marble|granite|basalt/);
    }
    expect(failures.map(({ outcomeUnknown }) => outcomeUnknown)).toEqual([true, true, false, false]);
  });
});
