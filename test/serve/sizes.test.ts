import { request } from 'node:http';
import { expect, test } from 'vitest';
import { toolsOf } from '../../src/serve/clients/tools.js';
import { sizeProblem } from '../../src/serve/message-size.js';
import { maxRequests, Principal, statelessIdentity } from '../../src/serve/principal.js';
import type { Caller } from '../../src/serve/upstream/calls-under-way.js';
import type { HostSession } from '../../src/mcp/index.js';
import type { ServedCall, Upstream } from '../../src/serve/upstream/upstream.js';
import { toolSet } from '../../src/internal.js';
import { echoing, inFrontOverHttp } from './in-front.js';
import { begun, callOf, post, postHeaders } from './raw-clients.js';

test('A message that is too large is refused with the limit', async () => {
  await using front = await inFrontOverHttp(echoing);
  const { send } = await begun(front.url);
  const args = Object.fromEntries(Array.from({ length: 4_000 }, (_, n) => [`name${n}`, n]));
  const refused = await send(callOf('echo', 1, args));
  expect(refused.status).toBe(413);
  expect(await refused.text()).toContain('A message may hold 15000 values');
  expect(front.log).toContainEqual(
    expect.stringContaining('refused status=413 reason="A message may hold 15000 values'),
  );
});

test.each([
  ['levels', `${'['.repeat(500)}${']'.repeat(500)}`, 'A message may be 500 levels deep.'],
  ['values in a string', JSON.stringify(',:[{'.repeat(200_000)), undefined],
  ['escaped quotation marks', JSON.stringify(`\\"${','.repeat(200_000)}\\`), undefined],
  ['values', `[${'0,'.repeat(14_996)}0]`, 'A message may hold 15000 values'],
  ['as many values as may be', `[${'0,'.repeat(14_995)}0]`, undefined],
  ['names', `{${'"a":0,'.repeat(2499)}"a":0}`, 'A message may hold 15000 values'],
  ['as many names as may be', `{${'"a":0,'.repeat(2498)}"a":0}`, undefined],
  ['escapes', JSON.stringify('"'.repeat(300_100)), 'A message may hold 15000 values'],
  ['as many escapes as may be', JSON.stringify('"'.repeat(299_800)), undefined],
  ['objects and lists that end', `[${'{},[],'.repeat(600)}0]`, undefined],
  ['as many levels as may be', `${'['.repeat(499)}${']'.repeat(499)}`, undefined],
])('The %s of a message are counted as in JSON', (_, value, problem) => {
  const padding = ' '.repeat(30_000);
  expect(sizeProblem(`{"a":${value}${padding}}`)?.slice(0, problem?.length)).toBe(problem);
});

test.each([
  ['4096 requests', 0, maxRequests],
  ['64 MB of requests', 1024 * 1024, 64],
  ['a single longer one', 65 * 1024 * 1024, 1],
])('A principal may have %s in flight', async (_, length, count) => {
  const principal = new Principal({ servers: [], tool: {}, log: () => {} }, statelessIdentity);
  let end = () => {};
  const work = new Promise<string>((resolve) => (end = () => resolve('')));
  const all = Array.from({ length: count }, () => principal.underWay(length, () => work));
  const tooMany = 'Too many requests in flight (limit: 4096, or 64 MB in total). Retry after some have finished.';
  await expect(principal.underWay(length, () => work)).rejects.toThrow(tooMany);
  end();
  await Promise.all(all);
  expect(await principal.underWay(length, () => work)).toBe('');
});

test('Partly received messages of one token may have up to 64 MB', async () => {
  await using front = await inFrontOverHttp(echoing);
  const stuck = Array.from({ length: 9 }, () => {
    const sent = request(front.url, { method: 'POST', headers: postHeaders });
    sent.on('error', () => {}).write(' '.repeat(8e6));
    return new Promise<number | undefined>((resolve) => sent.on('response', ({ statusCode }) => resolve(statusCode)));
  });
  expect(await Promise.race(stuck)).toBe(503);
  expect((await post(front.url, { id: 1, method: 'ping' })).status).toBe(400);
});

test('Of calls that waited for the list of tools, each turn of the event loop checks one', async () => {
  const order: string[] = [];
  const set = toolSet<HostSession, ServedCall, Upstream>([]);
  const group = { tools: set, listed: () => set.list() };
  const tools = toolsOf(group, { tool: {}, log: () => {} });
  const caller = { signal: new AbortController().signal, record: {} } as Caller;
  const calls = ['a', 'b', 'c'].map((name) =>
    tools.call(name, { params: { name }, paramsText: '{}', doubled: undefined }, caller).catch(() => order.push(name)),
  );
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    order.push('turn');
  }
  await Promise.all(calls);
  expect(order).toEqual(['turn', 'a', 'turn', 'b', 'turn', 'c']);
});
