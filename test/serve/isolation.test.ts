import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { fc } from '../../test-support/fuzz.js';
import { lawRuns } from '../../test-support/law-runs.js';
import { type Exchange, startHttpServer } from '../../test-support/servers/http.js';
import { inFrontOverHttp, program } from './in-front.js';
import { begun, handshakeClient, statelessClient } from './raw-clients.js';

const asking = program(fileURLToPath(new URL('./asking.mjs', import.meta.url)));

/** All clients with this token count as one user. */
const token = 'the-token-of-the-user';

/** Clients, each with its own session or requests. Every text that belongs to a client begins with its mark. */
const clients = ['2025-11-25', '2026-07-28'].flatMap((revision) =>
  [1, 2, 3, 4].map((number) => ({ revision, mark: `mark-${revision}-${number}-` })),
);

/** A client's calls: each begins and asks after so many milliseconds, and they overlap. */
const call = fc.record({
  at: fc.integer({ min: 0, max: 8 }),
  before: fc.integer({ min: 0, max: 5 }),
  after: fc.integer({ min: 0, max: 5 }),
});
const client = fc.record({
  index: fc.nat(clients.length - 1),
  calls: fc.array(call, { minLength: 1, maxLength: 3 }),
});
const atOnce = clients.map((_, index) => ({ index, calls: [{ at: 0, before: 5, after: 5 }] }));
const several = fc.uniqueArray(client, { minLength: 2, maxLength: 5, selector: ({ index }) => index });

describe('clients with the same name and overlapping calls', () => {
  test.each([
    ['without a token', undefined],
    ['with one', token],
  ])("Clients with the same name and overlapping calls never receive each other's messages (%s)", async (_, token) => {
    await using front = await inFrontOverHttp(asking, { token });
    const open = await Promise.all(
      clients.map(async ({ revision, mark }) => {
        const begin = revision === '2025-11-25' ? handshakeClient : statelessClient;
        return { mark, client: await begin(front.url, mark, token) };
      }),
    );
    const expectOnlyTheirOwn = () => {
      for (const { mark, client } of open) {
        const received = client.received.splice(0).join('\n');
        for (const other of open) if (other.mark !== mark) expect(received).not.toContain(other.mark);
      }
    };
    await fc.assert(
      fc.asyncProperty(several, async (chosen) => {
        const outcomes = await Promise.all(
          chosen.flatMap(({ index, calls }) =>
            calls.map(async ({ at, ...times }) => {
              const { mark, client } = open[index]!;
              await new Promise((resolve) => setTimeout(resolve, at));
              return [mark, await client.call({ mark, ...times })] as const;
            }),
          ),
        );
        for (const [mark, text] of outcomes) {
          expect(text).toMatch(new RegExp(`^${mark} was answered`));
          // Every answer is the client's own, or there is none.
          expect(text).toMatch(new RegExp(`"name":"${mark}"|"action":"cancel"`));
        }
        expectOnlyTheirOwn();
      }),
      // Each run takes long: many calls of several clients. At first all of them call before their server has asked anything.
      { numRuns: Math.ceil(lawRuns(300) / 20), examples: [[atOnce]] },
    );
    await Promise.all(open.map(({ client }) => client.close()));
    expectOnlyTheirOwn();
  });

  test("Once a server has asked a question, the clients' calls are made one after the other, and all get their questions", async () => {
    await using front = await inFrontOverHttp(asking);
    const call = (mark: string) => statelessClient(front.url, mark).call({ mark, before: 5, after: 5 });
    const answer = (mark: string) => `${mark} was answered {"action":"accept","content":{"name":"${mark}"}}`;
    const first = statelessClient(front.url, 'first');
    expect(await first.call({ mark: 'first', before: 5, after: 5 })).toBe(answer('first'));
    // The logs of a server with a handshake are for all clients.
    expect(first.received.join()).not.toContain('notifications/message');
    expect(await Promise.all(['a', 'b', 'c'].map(call))).toEqual(['a', 'b', 'c'].map(answer));
  });
});

test("The error of one call does not have a server's output about another", async () => {
  await using front = await inFrontOverHttp(asking);
  const [one, other] = [statelessClient(front.url, 'one'), statelessClient(front.url, 'other')];
  const ended = await Promise.all([
    one.call({ mark: 'one', before: 10_000, after: 0 }),
    other.call({ mark: 'the-other', before: 10_000, after: 0, dies: true }),
  ]);
  for (const text of ended) expect(text).toContain('ended with exit code 3');
  expect(one.received.join('\n')).not.toContain('the-other');
});

test('A task belongs to the session that created it, even if the server does not separate clients', async () => {
  let made = 0;
  const task = (taskId: unknown) => ({ taskId, status: 'working', ttl: null, createdAt: '2026-01-01T00:00:00Z' });
  const capabilities = { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };
  const ofTask = ({ message, result }: Exchange) => result(task(message.params?.['taskId']));
  await using shared = await startHttpServer({
    initialize: ({ introduce }) => introduce({ capabilities }),
    'tools/list': { tools: [{ name: 'ask', inputSchema: { type: 'object' } }] },
    'tools/call': ({ result }) => result({ task: task(`t${made++}`) }),
    'tasks/list': { tasks: [task('t0'), task('t1'), task('t2')] },
    'tasks/get': ofTask,
    'tasks/result': ofTask,
    'tasks/cancel': ofTask,
  });
  await using front = await inFrontOverHttp({ url: shared.url }, { token });
  const [one, other] = [await begun(front.url, token), await begun(front.url, token)];
  const asked = async ({ send }: typeof one, method: string, params: object) =>
    (await send({ id: Math.random(), method, params })).text();
  const call = { name: 'ask', arguments: {}, task: { ttl: 60_000 } };
  for (const [session, id] of [
    [one, 't0'],
    [other, 't1'],
  ] as const)
    expect(await asked(session, 'tools/call', call)).toContain(`"taskId":"${id}"`);
  for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
    expect(await asked(one, method, { taskId: 't0' })).toContain('"taskId":"t0"');
    for (const taskId of ['t1', 't2', 't3']) expect(await asked(one, method, { taskId })).toContain('Unknown task');
  }
  expect(await asked(other, 'tasks/list', {})).toMatch(/^(?!.*t0)(?!.*t2).*"taskId":"t1"/s);
});
