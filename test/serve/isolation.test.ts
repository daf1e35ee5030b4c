import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { fc } from '../../test-support/fuzz.js';
import { lawRuns } from '../../test-support/law-runs.js';
import { inFrontOverHttp, program, scripted } from './in-front.js';
import { authorization, begun, handshakeClient, post, statelessClient } from './raw-clients.js';

const asking = program(fileURLToPath(new URL('./asking.mjs', import.meta.url)));

const token = (name: string) => ({ name, value: `the-token-of-${name}` });

/** Clients, of which each has a session, or requests, of its own; what is marked as theirs begins with their mark. */
const clients = ['alice', 'bob'].flatMap((owner) =>
  ['2025-11-25', '2026-07-28'].flatMap((revision) =>
    [1, 2].map((number) => ({ owner, revision, mark: `mark-${owner}-${revision}-${number}-` })),
  ),
);

/** What one of them does: its calls begin and are asked, one upon another, after so many milliseconds. */
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

describe('Clients that name themselves alike, whose calls overlap', () => {
  test.each([
    ['without tokens', []],
    ['with tokens', [token('alice'), token('bob')]],
  ])('never receive what belongs to another (%s)', async (_, tokens) => {
    await using front = await inFrontOverHttp(asking, { tokens });
    const open = await Promise.all(
      clients.map(async ({ owner, revision, mark }) => {
        const begin = revision === '2025-11-25' ? handshakeClient : statelessClient;
        return { mark, client: await begin(front.url, mark, tokens.length > 0 ? token(owner).value : undefined) };
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
          // What was answered is its own, or nothing at all.
          expect(text).toMatch(new RegExp(`"name":"${mark}"|"action":"decline"`));
        }
        expectOnlyTheirOwn();
      }),
      // Each takes long: many calls of several clients. At first all of them call before their server has asked anything.
      { numRuns: Math.ceil(lawRuns(300) / 20), examples: [[atOnce]] },
    );
    await Promise.all(open.map(({ client }) => client.close()));
    expectOnlyTheirOwn();
  });

  test('have their calls made one after the other once their server has asked, so that all are asked', async () => {
    await using front = await inFrontOverHttp(asking);
    const call = (mark: string) => statelessClient(front.url, mark).call({ mark, before: 5, after: 5 });
    const answer = (mark: string) => `${mark} was answered {"action":"accept","content":{"name":"${mark}"}}`;
    const first = statelessClient(front.url, 'first');
    expect(await first.call({ mark: 'first', before: 5, after: 5 })).toBe(answer('first'));
    // What a server with a handshake logs is for all at once.
    expect(first.received.join()).not.toContain('notifications/message');
    expect(await Promise.all(['a', 'b', 'c'].map(call))).toEqual(['a', 'b', 'c'].map(answer));
  });
});

test('What a server prints of one call is not in the error that ends another', async () => {
  await using front = await inFrontOverHttp(asking);
  const [one, other] = [statelessClient(front.url, 'one'), statelessClient(front.url, 'other')];
  const ended = await Promise.all([
    one.call({ mark: 'one', before: 10_000, after: 0 }),
    other.call({ mark: 'the-other', before: 10_000, after: 0, dies: true }),
  ]);
  for (const text of ended) expect(text).toContain('ended with exit code 3');
  expect(one.received.join('\n')).not.toContain('the-other');
});

test('A session is nobody else’s, whoever knows its name', async () => {
  const tokens = [token('alice'), token('bob')];
  await using front = await inFrontOverHttp(asking, { tokens });
  const alice = await begun(front.url, token('alice').value);
  const bob = { ...alice.headers, ...authorization(token('bob').value) };
  const ping = { id: 2, method: 'ping' };
  expect((await alice.send(ping)).status).toBe(200);
  expect((await post(front.url, ping, bob)).status).toBe(404);
  const headers = { ...bob, accept: 'text/event-stream' };
  for (const method of ['GET', 'DELETE']) expect((await fetch(front.url, { method, headers })).status).toBe(404);
});

test('Clients of 2026-07-28 share a process only with those of the same token', async () => {
  const list = `'tools/list': { tools: [{ name: 'ask', inputSchema: { type: 'object' } }] },`;
  const server = scripted(`${list} 'tools/call': { content: [{ type: 'text', text: String(process.pid) }] },`);
  await using front = await inFrontOverHttp(server, { tokens: [token('alice'), token('bob')] });
  const pidOf = (name: string) => statelessClient(front.url, name, token(name).value).call({});
  const [alice, bob, again] = await Promise.all(['alice', 'bob', 'alice'].map(pidOf));
  expect([/^\d+$/.test(alice!), again === alice, bob === alice]).toEqual([true, true, false]);
});
