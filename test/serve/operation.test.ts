import { describe, expect, test } from 'vitest';
import { startHttpServer } from '../../test-support/servers/http.js';
import { configured, connected, entryOf, greeted, listing, recording, servedOverHttp } from './as-process.js';
import { envelope, handshake } from './in-front.js';
import { callHeaders, callOf, post } from './raw-clients.js';

const asking = `
  if (method === 'tools/call' && params.name === 'ask') {
    global.asking = id;
    return print({ id: 'q', method: 'elicitation/create', params: { message: '?', requestedSchema: { type: 'object', properties: {} } } });
  }
  if (id === 'q') return print({ id: global.asking, result: { content: [{ type: 'text', text: JSON.stringify(result ?? error) }] } });
  if (method === 'tools/call' && params.name === 'hang') return;`;
const done = `'tools/call': { content: [{ type: 'text', text: 'done' }] },`;

const named = (name: string, more: object = {}) =>
  JSON.parse(
    JSON.stringify({ ...envelope({ elicitation: {} }), ...more }).replace('"same"', JSON.stringify(name)),
  ) as object;
/** A call of a client of 2026-07-28 with this name. */
const call = (url: string, client: string, name: string, more: object = {}, signal?: AbortSignal) => {
  return post(url, callOf(name, 1, {}, named(client, more)), callHeaders(name), signal);
};

describe('a question of a server outside a call', () => {
  const cancelledCall = async (url: string, server: ReturnType<typeof recording>, client: string) => {
    const stop = new AbortController();
    const hanging = call(url, client, 'hang', {}, stop.signal).catch(() => {});
    await expect.poll(() => server.got('tools/call')).not.toHaveLength(0);
    stop.abort();
    await hanging;
    const params = { requestId: expect.any(Number) as number, reason: 'The client is gone.' };
    const cancelled = () => server.got('notifications/cancelled').map((line) => JSON.parse(line) as object);
    await expect.poll(cancelled).toEqual([{ jsonrpc: '2.0', method: 'notifications/cancelled', params }]);
  };

  test('A question outside a call goes to the only client, also after a call was cancelled', async () => {
    const server = recording(listing('ask', 'hang') + done, asking);
    const { url } = await servedOverHttp(server.command);
    await cancelledCall(url, server, 'one');
    expect(await (await call(url, 'one', 'ask')).text()).toContain('"resultType":"input_required"');
  });

  test('A question outside a call that may belong to another client is cancelled and logged, not declined', async () => {
    const server = recording(listing('ask', 'hang') + done, asking);
    const { url, logged } = await servedOverHttp(server.command);
    await cancelledCall(url, server, 'one');
    expect(await (await call(url, 'other', 'ask')).text()).toContain('{\\"action\\":\\"cancel\\"}');
    await logged(/cancelled its question, as nothing says which client it belongs to/);
  });
});

describe('A question that nobody answers', () => {
  test('A question that nobody answers is cancelled after --question-timeout, for a client with a handshake', async () => {
    const gateway = connected(['--question-timeout', '0.3', ...recording(listing('ask') + done, asking).command]);
    expect((await gateway.call('ask')).result.content[0]!.text).toBe('{"action":"cancel"}');
    await gateway.logged(/cancelled its question, as nobody answered within 0\.3 s/);
  });

  test('A question that nobody answers is also cancelled at a server of 2026-07-28', async () => {
    const params = { message: '?', requestedSchema: { type: 'object', properties: {} } };
    const inputRequests = { q: { method: 'elicitation/create', params } };
    const server = recording(
      `${listing('ask')} 'server/discover': { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
      'tools/call': params?.inputResponses
        ? { resultType: 'complete', content: [{ type: 'text', text: JSON.stringify(params.inputResponses.q) }] }
        : { resultType: 'input_required', requestState: 's', inputRequests: ${JSON.stringify(inputRequests)} },`,
      `if (method === 'initialize') return print({ id, error: { code: -32601, message: 'Method not found' } });`,
    );
    const { result } = await connected(['--question-timeout', '0.3', ...server.command]).call('ask');
    expect(result.content[0]!.text).toBe('{"action":"cancel"}');
  });

  test('A sampling request does not count as a question, and may take longer', async () => {
    const sampling = asking.replace('elicitation/create', 'sampling/createMessage');
    const gateway = connected(['--question-timeout', '0.1', ...recording(listing('ask') + done, sampling).command]);
    const called = gateway.call('ask');
    const { id } = await gateway.message(({ method }) => method === 'sampling/createMessage');
    await new Promise((resolve) => setTimeout(resolve, 300));
    gateway.write({ id, result: { role: 'assistant', content: { type: 'text', text: 'late' }, model: 'm' } });
    expect((await called).result.content[0]!.text).toContain('late');
  });

  test('An unanswered question does not block other calls for ever, and waiting calls say so', async () => {
    const server = recording(listing('ask', 'do') + done, asking);
    const { url } = await servedOverHttp(['--question-timeout', '2', ...server.command]);
    expect(await (await call(url, 'one', 'ask')).text()).toContain('input_required');
    const _meta = { ...(envelope() as { _meta: object })._meta, progressToken: 'p' };
    const text = await (await call(url, 'other', 'do', { _meta })).text();
    expect(text).toMatch(/"progressToken":"p","progress":0,"message":"Waits.*"text":"done"/s);
  });
});

describe('Ended by SIGTERM', () => {
  const finishing = `if (method === 'tools/call' && params.name === 'slow') return setTimeout(() => print({ id, result: { content: [{ type: 'text', text: 'finished' }] } }), 700);
    if (method === 'tools/call' && params.name === 'hang') return;`;
  const cleaning = `if (!global.isReady) { global.isReady = true; process.stdin.on('end', () => setTimeout(() => { require('fs').appendFileSync(LOG, 'cleaned up\\n'); process.exit(); }, 600)); }`;

  test('serve, ended by SIGTERM, lets calls finish, answers the rest, and gives servers time to clean up', async () => {
    const server = recording(listing('slow', 'hang'), `${cleaning}\n${finishing}`);
    const gateway = connected(['--grace', '1.5', ...server.command]);
    const [slow, hanging] = ['slow', 'hang'].map((name) => gateway.call(name));
    await expect.poll(() => server.got('tools/call')).toHaveLength(2);
    gateway.kill('SIGTERM');
    expect((await slow)!.result.content[0]!.text).toBe('finished');
    expect((await gateway.request('ping')).error?.message).toBe('The gateway is stopping.');
    const { error } = (await hanging)!;
    expect(error?.message).toMatch(/^The gateway has stopped before the answer came\. .*is unknown/);
    expect(await gateway.ended).toBe(143);
    expect(server.got().at(-1)).toBe('cleaned up');
  });

  test('serve, ended by SIGTERM once more, does not wait', async () => {
    const server = recording(listing('hang'), finishing);
    const gateway = connected(['--grace', '600', ...server.command]);
    void gateway.call('hang').catch(() => {});
    await expect.poll(() => server.got('tools/call')).toHaveLength(1);
    gateway.kill('SIGTERM');
    await expect.poll(async () => (await gateway.request('ping')).error?.message).toBe('The gateway is stopping.');
    gateway.kill('SIGTERM');
    expect(await gateway.ended).toBe(143);
  });

  test('serve over HTTP, ended by SIGTERM, ends sessions at the server, and answers calls', async () => {
    await using server = await startHttpServer({
      initialize: ({ introduce }) => introduce({}, { 'mcp-session-id': 's1' }),
      'tools/list': { tools: [{ name: 'hang', inputSchema: { type: 'object' } }] },
      'tools/call': () => {},
    });
    const gateway = await servedOverHttp(['--grace', '0.2', '--url', server.url]);
    const opened = await post(gateway.url, handshake[0]!);
    const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    await opened.text();
    const called = post(gateway.url, callOf('hang'), headers);
    await expect.poll(() => server.methods()).toContain('tools/call');
    const ended = server.seen.filter(({ verb }) => verb === 'DELETE').length;
    gateway.kill('SIGTERM');
    expect(await (await called).text()).toContain('The gateway has stopped before the answer came.');
    expect(await gateway.ended).toBe(143);
    expect(server.seen.filter(({ verb }) => verb === 'DELETE').length).toBeGreaterThan(ended);
  });
});

test('The name of a tool does not depend on which servers are there', async () => {
  const [one, other] = [recording(listing('hub_search', 'status')), recording(listing('search'))];
  const namesWith = (isThere: boolean) => {
    const hub = isThere ? entryOf(other) : { command: '/nowhere' };
    return connected(['--config', configured({ git: entryOf(one), git_hub: hub })]).names();
  };
  expect(await namesWith(true)).toEqual(['git__hub_search', 'git__status', 'git_hub_search']);
  expect(await namesWith(false)).toEqual(['git__hub_search', 'git__status']);
});

test('Ids beyond 2^53 come back as they were sent, in both directions', async () => {
  const server = recording(
    listing('ask', 'hang') + done,
    `${asking}
    if (method === 'notifications/cancelled') return print({ method: 'notifications/message', params: { level: 'info', data: 'cancelled' } });
    if (method === 'notifications/initialized') process.stdout.write('{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}\\n');`,
  );
  const gateway = greeted(server.command);
  for (const id of ['9007199254740993', '12345678901234567890', '1e400'])
    gateway.write(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"hang"}}`);
  await expect.poll(() => server.got('tools/call')).toHaveLength(3);
  gateway.write('{"jsonrpc":"2.0","id":9007199254740995,"method":"ping"}');
  await expect.poll(() => gateway.lines.join('\n')).toContain('"id":9007199254740995,"result"');
  gateway.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9007199254740993}}');
  await gateway.message(({ params }) => (params as { data?: unknown } | undefined)?.data === 'cancelled');
  expect(server.got().join('\n')).toContain('"id":9007199254740993,"result"');
});
