import { fileURLToPath } from 'node:url';
import { fc } from '../../test-support/fuzz.js';
import { describe, expect, test } from 'vitest';
import { inFrontOverHttp, program } from './in-front.js';
import { authorization, begun, handshakeClient, post, statelessClient, type RawClient } from './raw-clients.js';

const asking = program(fileURLToPath(new URL('./asking.mjs', import.meta.url)));

const token = (name: string) => ({ name, value: `the-token-of-${name}` });

/** What one client does: its calls begin and are asked, one upon another, after so many milliseconds. */
const call = fc.record({
  at: fc.integer({ min: 0, max: 15 }),
  before: fc.integer({ min: 0, max: 10 }),
  after: fc.integer({ min: 0, max: 10 }),
});
const client = fc.record({
  revision: fc.constantFrom('2025-11-25', '2026-07-28'),
  owner: fc.constantFrom('alice', 'bob'),
  calls: fc.array(call, { minLength: 1, maxLength: 3 }),
});

describe('Clients that name themselves alike, whose calls overlap', () => {
  test.each([
    ['without tokens', []],
    ['with tokens', [token('alice'), token('bob')]],
  ])('never receive what belongs to another (%s)', async (_, tokens) => {
    await using front = await inFrontOverHttp({ asking }, { tokens });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(client, { minLength: 2, maxLength: 5 }), async (clients) => {
        run++;
        const marks = clients.map((_client, index) => `mark-${run}-${index}-`);
        const open = await Promise.all(
          clients.map(({ revision, owner }, index): Promise<RawClient> => {
            const its = tokens.length > 0 ? token(owner).value : undefined;
            const mark = marks[index]!;
            return revision === '2025-11-25'
              ? handshakeClient(front.url, mark, its)
              : Promise.resolve(statelessClient(front.url, mark, its));
          }),
        );
        const outcomes = await Promise.all(
          clients.flatMap(({ calls }, index) =>
            calls.map(async ({ at, ...times }) => {
              await new Promise((resolve) => setTimeout(resolve, at));
              return [marks[index]!, await open[index]!.call({ mark: marks[index], ...times })] as const;
            }),
          ),
        );
        await Promise.all(open.map((each) => each.close()));
        for (const [mark, text] of outcomes) {
          expect(text).toMatch(new RegExp(`^${mark} was answered`));
          // What was answered is its own, or nothing at all.
          expect(text).toMatch(new RegExp(`"name":"${mark}"|"action":"decline"`));
        }
        for (const [index, { received }] of open.entries())
          for (const mark of marks.filter((each) => each !== marks[index]))
            expect(received.join('\n')).not.toContain(mark);
      }),
      { numRuns: 25 },
    );
  });

  test('are asked what their own calls want to know, where nothing else is under way', async () => {
    await using front = await inFrontOverHttp({ asking });
    for (const mark of ['one', 'two']) {
      const alone = statelessClient(front.url, mark);
      expect(await alone.call({ mark, before: 0, after: 0 })).toBe(
        `${mark} was answered {"action":"accept","content":{"name":"${mark}"}}`,
      );
    }
  });

  test('have their calls made one after the other once their server has asked, so that all are asked', async () => {
    await using front = await inFrontOverHttp({ asking });
    const first = statelessClient(front.url, 'first');
    await first.call({ mark: 'first', before: 0, after: 0 });
    const texts = await Promise.all(
      ['a', 'b', 'c'].map((mark) => statelessClient(front.url, mark).call({ mark, before: 5, after: 5 })),
    );
    for (const [index, mark] of ['a', 'b', 'c'].entries()) expect(texts[index]).toContain(`"name":"${mark}"`);
  });
});

test('What a server prints of one call is not in the error that ends another', async () => {
  await using front = await inFrontOverHttp({ asking });
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
  await using front = await inFrontOverHttp({ asking }, { tokens });
  const alice = await begun(front.url, token('alice').value);
  const bob = { ...alice.headers, ...authorization(token('bob').value) };
  const ping = { id: 2, method: 'ping' };
  expect((await alice.send(ping)).status).toBe(200);
  expect((await post(front.url, ping, bob)).status).toBe(404);
  const headers = { ...bob, accept: 'text/event-stream' };
  for (const method of ['GET', 'DELETE']) expect((await fetch(front.url, { method, headers })).status).toBe(404);
});
