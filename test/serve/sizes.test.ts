import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { Tools } from '../../src/serve/clients/tools.js';
import { messageIn, sizeProblem } from '../../src/serve/message-size.js';
import { maxRequests, Principal, statelessIdentity } from '../../src/serve/principal.js';
import type { Caller } from '../../src/serve/upstream/calls-under-way.js';
import { isRunning } from '../../test-support/servers/process-state.js';
import { greeted, inFrontOverHttp } from './in-front.js';

/** A server with a tool that answers with so many characters, and one that logs without end. */
const script = `
  const print = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  const flood = () => {
    const params = { level: 'info', data: 'x'.repeat(1e6) };
    while (process.stdout.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params }) + '\\n'));
    process.stdout.once('drain', flood);
  };
  require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const results = {
      initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {}, logging: {} }, serverInfo: { name: String(process.pid), version: '1' } },
      'tools/list': { tools: [{ name: 'long', inputSchema: { type: 'object' } }, { name: 'flood', inputSchema: { type: 'object' } }, { name: 'never', inputSchema: { type: 'object' } }] },
    };
    if (method === 'tools/call' && params.name === 'flood') flood();
    else if (method === 'tools/call' && params.name === 'long') print({ id, result: { content: [{ type: 'text', text: 'y'.repeat(params.arguments.length) }] } });
    else if (id !== undefined && method !== 'tools/call') print({ id, result: results[method] ?? {} });
  });`;
const server = { transport: 'stdio' as const, command: process.execPath, args: ['-e', script] };

const types = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

function post(url: string, message: object, session: Record<string, string> = {}): Promise<Response> {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  const revision = { 'mcp-protocol-version': '2025-11-25' };
  return fetch(url, { method: 'POST', headers: { ...types, ...revision, ...session }, body });
}

/** Begins a session. @returns its header, and the process of its server */
async function begun(url: string) {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const response = await post(url, { id: 'i', method: 'initialize', params });
  const [, pid] = /"serverInfo":\{"name":"(\d+)"/.exec(await response.text()) ?? [];
  return { session: { 'mcp-session-id': response.headers.get('mcp-session-id')! }, pid: Number(pid) };
}

const callOf = (id: number, name: string, args: object) => ({
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

describe('What is kept for a client that loses its streams', () => {
  test('are the last 8 MB, in bytes', async () => {
    await using front = await inFrontOverHttp({ server });
    const { session } = await begun(front.url);
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) {
      const answer = await (await post(front.url, callOf(n, 'long', { length: 1e6 }), session)).text();
      ids.push(/^id: (\d+)/m.exec(answer)![1]!);
    }
    // The last stream first: one whose events are gone would wait for what is sent unasked.
    const again = ids.slice(-7).map(async (id) => {
      const headers = { ...session, accept: 'text/event-stream', 'last-event-id': id };
      return (await (await fetch(front.url, { headers })).text()).match(/y{100,}/)?.[0].length;
    });
    expect(await Promise.all(again)).toEqual(Array.from({ length: 7 }, () => 1e6));
    const stop = new AbortController();
    const gone = await fetch(front.url, {
      headers: { ...session, accept: 'text/event-stream', 'last-event-id': ids[0]! },
      signal: stop.signal,
    });
    const first = await Promise.race([
      gone.body!.getReader().read(),
      post(front.url, { id: 'p', method: 'ping' }, session).then((response) => response.text()),
    ]);
    expect(first).toContain('"id":"p"');
    stop.abort();
  });

  test('is dropped with the session', async () => {
    await using front = await inFrontOverHttp({ server });
    const { session, pid } = await begun(front.url);
    await (await post(front.url, callOf(1, 'long', { length: 1e6 }), session)).text();
    expect((await fetch(front.url, { method: 'DELETE', headers: session })).status).toBe(200);
    expect((await post(front.url, { id: 1, method: 'ping' }, session)).status).toBe(404);
    await expect.poll(() => isRunning(pid), { timeout: 5000 }).toBe(false);
  });
});

describe('A client that stops reading', () => {
  test('over HTTP has its session closed, and its server with it; the others go on', async () => {
    await using front = await inFrontOverHttp({ server });
    const { session, pid } = await begun(front.url);
    const other = await begun(front.url);
    // Its response is never read.
    const sent = request(front.url, { method: 'POST', headers: { ...types, ...session } });
    sent.on('response', (response) => response.pause());
    sent.on('error', () => {});
    sent.end(JSON.stringify({ jsonrpc: '2.0', ...callOf(1, 'flood', {}) }));
    await expect.poll(() => isRunning(pid), { timeout: 30_000 }).toBe(false);
    expect((await post(front.url, { id: 1, method: 'ping' }, session)).status).toBe(404);
    expect((await post(front.url, { id: 1, method: 'ping' }, other.session)).status).toBe(200);
    expect(front.log.join('\n')).toContain('A client was disconnected: more than 67108864 bytes wait for it');
  });

  test('over stdio ends serving', async () => {
    await using front = greeted(server);
    await front.line(({ id }) => id === 'i');
    front.stopReading();
    front.write(JSON.stringify({ jsonrpc: '2.0', ...callOf(1, 'flood', {}) }));
    await front.over;
    expect(front.log.join('\n')).toContain('The client was disconnected: more than 67108864 bytes wait for it');
  });
});

test('A message that holds too much is refused with the limit', async () => {
  await using front = await inFrontOverHttp({ server });
  const { session } = await begun(front.url);
  const args = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`name${n}`, n]));
  const refused = await post(front.url, callOf(1, 'long', args), session);
  expect(refused.status).toBe(413);
  expect(await refused.text()).toContain('A message may hold 15000 values');
});

test.each([
  ['levels', `${'['.repeat(501)}${']'.repeat(501)}`, 'A message may be 500 levels deep.'],
  ['values in a string', JSON.stringify(',:[{'.repeat(200_000)), undefined],
  ['escaped quotation marks', JSON.stringify(`\\"${','.repeat(200_000)}\\`), undefined],
  ['values', `[${'0,'.repeat(20_001)}0]`, 'A message may hold 15000 values'],
  ['names', `{${'"a":0,'.repeat(4000)}"a":0}`, 'A message may hold 15000 values'],
  ['escapes', JSON.stringify('"'.repeat(400_001)), 'A message may hold 15000 values'],
  ['a few less', `[${'0,'.repeat(14_900)}0]`, undefined],
])('%s are counted as JSON has them', (_, value, problem) => {
  const padding = ' '.repeat(30_000);
  expect(sizeProblem(`{"a":${value}${padding}}`)?.slice(0, problem?.length)).toBe(problem);
});

test.each([
  ['a batch', '[{"jsonrpc":"2.0","method":"a"}]', 'Batches are not taken'],
  ['what is no message', '{"id":1}', 'this is no JSON-RPC message'],
  ['what is no JSON', '{', 'the message is not JSON'],
])('%s is refused', (_, text, why) => {
  expect(() => messageIn(text)).toThrow(why);
});

test.each([
  ['4096 requests', 0, maxRequests],
  ['64 MB of requests', 1024 * 1024, 64],
  ['a single longer one', 65 * 1024 * 1024, 1],
])('A principal may have %s under way', async (_, length, count) => {
  const principal = new Principal({ servers: [], tool: {}, idleTimeoutMs: 1, log: () => {} }, statelessIdentity);
  let end = () => {};
  const work = new Promise<string>((resolve) => (end = () => resolve('')));
  const all = Array.from({ length: count }, () => principal.underWay(length, () => work));
  await expect(principal.underWay(length, () => work)).rejects.toThrow('Wait for some answers.');
  end();
  await Promise.all(all);
  expect(await principal.underWay(length, () => work)).toBe('');
});

test('Messages that are being read are held up to 64 MB for one token', async () => {
  await using front = await inFrontOverHttp({ server });
  const stuck = Array.from({ length: 9 }, () => {
    const sent = request(front.url, { method: 'POST', headers: types });
    sent.on('error', () => {}).write(' '.repeat(8e6));
    return new Promise<number | undefined>((resolve) => sent.on('response', ({ statusCode }) => resolve(statusCode)));
  });
  expect(await Promise.race(stuck)).toBe(503);
  expect((await post(front.url, { id: 1, method: 'ping' })).status).toBe(400);
});

/** What happens, with `turn` for each turn of the event loop. */
async function inTurns(turns: number, happen: (order: string[]) => Promise<unknown>[]): Promise<string[]> {
  const order: string[] = [];
  const all = happen(order);
  for (let turn = 0; turn < turns; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    order.push('turn');
  }
  await Promise.all(all);
  return order;
}

const lengths = { a: 1e6, b: 1e6, short: 100, c: 1e6 };

test('Calls that waited for the list of tools are checked one in each turn', async () => {
  const order = await inTurns(4, (order) => {
    const none = () => Promise.resolve([]);
    const group = { upstreams: [], single: undefined, open: none, reachable: none };
    const tools = new Tools(group, { tool: {}, log: () => {} });
    return Object.entries(lengths).map(([name, length]) =>
      tools
        .call({ params: { name }, paramsText: `{${' '.repeat(length)}}` }, {
          signal: new AbortController().signal,
        } as Caller)
        .catch(() => order.push(name)),
    );
  });
  expect(order).toEqual(['turn', 'a', 'turn', 'b', 'turn', 'short', 'turn', 'c']);
});
