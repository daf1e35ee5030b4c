import { expect, test, vi } from 'vitest';
import { type Request, requestMethods } from '../../src/serve/clients/methods.js';
import type { Principal } from '../../src/serve/principal.js';
import { texts } from '../../test-support/schemas/short.js';
import { programPath, startProgram } from '../../test-support/servers/program.js';
import { until } from '../../test-support/waiting.js';
import { envelope, handshake, inFront, program } from './in-front.js';

type Front = ReturnType<typeof inFront>;

const call = (front: Front, name: string, more: object, id = 1) => {
  front.write(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {}, ...more } }));
};
const answer = (front: Front, id = 1) => front.message((message) => message.id === id && message.method === undefined);
const v1 = program(programPath('tasks-v1.mjs'), 'stdio');
const accepted = { action: 'accept', content: { name: 'Ada' } };
const content = [{ type: 'text', text: JSON.stringify(accepted) }];
const _meta = { progressToken: 'mine' };

test.each(['tasks-v1.mjs', 'tasks-v2.mjs'])(
  'A client that knows no tasks is served if a server insists on them (%s)',
  async (script) => {
    const server = await startProgram(programPath(script), ['http']);
    try {
      await using gateway = inFront({ url: server.url });
      for (const line of handshake) gateway.write(line.replace('2025-11-25', '2025-06-18'));
      call(gateway, 'asking', { _meta });
      const { id, params } = await gateway.message(({ method }) => method === 'elicitation/create');
      expect(params.message).toBe('Who are you?');
      gateway.write(JSON.stringify({ jsonrpc: '2.0', id, result: accepted }));
      expect(await answer(gateway)).toMatchObject({ result: { content, structuredContent: { n: 1 } } });
      expect(await gateway.message(({ method }) => method === 'notifications/progress')).toMatchObject({
        params: { progressToken: 'mine', progress: 1, message: 'Begun' },
      });
      // The client's cancellation reaches the server.
      const before = gateway.lines.length;
      call(gateway, 'endless', { _meta }, 2);
      await until(() => gateway.lines.length > before);
      gateway.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}');
      await until(() => server.printed.at(-1)?.startsWith('tasks/cancel ') === true);
    } finally {
      await server.close();
    }
  },
);

test('A client of 2026-07-28 is asked in rounds during a task, and gets the result', async () => {
  await using gateway = inFront(v1);
  const meta = envelope({ elicitation: { form: {} } });
  call(gateway, 'asking', meta);
  const { inputRequests, requestState } = (await answer(gateway)).result;
  const [key = ''] = Object.keys(inputRequests);
  const round = { ...meta, requestState, inputResponses: { [key]: accepted } };
  call(gateway, 'asking', round, 2);
  expect(await answer(gateway, 2)).toMatchObject({ result: { content } });
  // A repeated answer does not repeat the call.
  call(gateway, 'asking', round, 3);
  expect((await answer(gateway, 3)).error).toMatchObject({
    code: -32602,
    message: expect.stringContaining('The call was not retried') as string,
  });
});

test('A session knows its newest 10,000 tasks, by texts of at most 1000 characters', async () => {
  const long = 'a'.repeat(1000);
  const ids = ['oldest', 'second', long, `${long}a`, 7, undefined, ...texts(9998, 't')];
  const call = () => Promise.resolve(JSON.stringify({ task: { taskId: ids.shift() } }));
  const single = { request: () => Promise.resolve('{}'), server: {} };
  // A session in which nothing else happens.
  const session = { identity: {}, tasks: new Set(), tools: { call }, group: { single } } as unknown as Principal;
  const sent = (method: string, params: object) =>
    requestMethods.handshake[method]!(session, { method, params } as Request, {});
  while (ids.length > 0) await sent('tools/call', { name: 'ask', task: {} });
  ids.push('not a task');
  await sent('tools/call', { name: 'ask' });
  const isKnown = (taskId: unknown) => sent('tasks/get', { taskId }).then(Boolean, () => false);
  const known = await Promise.all(
    ['oldest', 'second', long, `${long}a`, 7, undefined, 't9997', 'not a task'].map(isKnown),
  );
  expect(known).toEqual([false, true, true, false, false, false, true, false]);
});

test('A client of 2026-07-28 can be asked during calls, prompts and resources alone', async () => {
  const session = { identity: { isStateless: true }, suspended: { run: () => Promise.resolve('asked') } };
  const outcomes = Object.entries(requestMethods.stateless).map(async ([method, handler]) => {
    const request = { method, params: {} } as Request;
    const handled = new Promise((resolve) => resolve(handler(session as unknown as Principal, request, {})));
    return (await handled.catch(() => '')) === 'asked' ? [method] : [];
  });
  expect((await Promise.all(outcomes)).flat()).toEqual(['tools/call', 'prompts/get', 'resources/read']);
});

test('A client is told of no change before its subscription is acknowledged', async () => {
  type Listener = (method: string, about: object, aboutText: string) => void;
  const listeners = new Set<Listener>();
  const change = () => {
    for (const tell of listeners) tell('notifications/resources/updated', { uri: 'r:1' }, '{}');
    return Promise.resolve();
  };
  const lists = { subscribe: change, unsubscribe: () => Promise.resolve() };
  const introduction = () => Promise.resolve({ capabilities: '{"resources":{"subscribe":true}}' });
  const session = { listeners, lists, group: { introduction } } as unknown as Principal;
  const [notify, caller] = [vi.fn<(method: string, text: string) => void>(), new AbortController()];
  const params = { notifications: { resourceSubscriptions: ['r:1'] } };
  const request = { params, notify, signal: caller.signal } as unknown as Request;
  const ended = requestMethods.stateless['subscriptions/listen']!(session, request, {});
  await until(() => listeners.size === 1);
  await change();
  caller.abort();
  await ended;
  const methods = ['notifications/subscriptions/acknowledged', 'notifications/resources/updated'];
  expect(notify.mock.calls.map(([method]) => method)).toEqual(methods);
});

test('A client is not told of changes after a subscription has failed', async () => {
  const listeners = new Set();
  const unsubscribe = vi.fn(() => Promise.resolve());
  const lists = { subscribe: () => Promise.reject(new Error('no')), unsubscribe };
  const introduction = () => Promise.resolve({ capabilities: '{"resources":{"subscribe":true}}' });
  const session = { listeners, lists, group: { introduction } } as unknown as Principal;
  const notify = vi.fn();
  const params = { notifications: { resourceSubscriptions: ['r:1', 'r:2'] } };
  const request = { params, notify, signal: AbortSignal.abort() } as unknown as Request;
  await expect(requestMethods.stateless['subscriptions/listen']!(session, request, {})).rejects.toThrow('no');
  expect([listeners.size, notify.mock.calls]).toEqual([0, []]);
  expect(unsubscribe.mock.calls.map(([uri]: unknown[]) => uri)).toEqual(['r:1', 'r:2']);
});
