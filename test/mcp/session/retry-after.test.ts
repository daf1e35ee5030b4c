import { expect, test } from 'vitest';
import { connect } from '../../../src/mcp/index.js';
import { agentTools } from '../../../src/programs/index.js';
import { startHttpServer } from '../../../test-support/servers/http.js';
import { timerOf } from '../../../test-support/waiting.js';
import { failureOf } from '../calling.js';
import { echo } from '../serving.js';

/** A server that first answers every method with "busy". */
async function busy(retryAfter: string) {
  const seen = new Set<string>();
  return startHttpServer(({ message: { method }, plain, status }) => {
    const isFirst = ['tools/list', 'tools/call'].includes(method) && !seen.has(method);
    seen.add(method);
    if (isFirst)
      status(429, JSON.stringify({ error: { code: 7, message: 'slow down' } }), { 'retry-after': retryAfter });
    else plain();
  });
}

test.each(['0', ' 0.001 ', 'Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT'])(
  'A read waits once as the server asks (%s), and a call does not',
  async (retryAfter) => {
    await using server = await busy(retryAfter);
    await using session = await connect({ url: server.url });
    expect((await session.listTools()).tools).toHaveLength(1);
    const failure = await failureOf(echo(session));
    expect(failure).toMatchObject({ status: 429, retryAfterMs: Number(retryAfter) * 1000 || 0, outcomeUnknown: false });
  },
);

test.each(['-5', '', 'soon', '1e3', '2, 3', '0x10'])(
  'A read does not wait for an invalid time: %j',
  async (retryAfter) => {
    await using server = await busy(retryAfter);
    await using session = await connect({ url: server.url });
    const failure = await failureOf(session.listTools());
    expect(failure).toMatchObject({ status: 429, message: expect.stringMatching(/with HTTP 429: slow down/) });
    expect(failure).not.toHaveProperty('retryAfterMs');
  },
);

test.each([
  ['a session', (url: string) => connect({ url })],
  [
    'an entry of several servers',
    async (url: string) => (await agentTools({ mcpServers: { one: { url } } })).session('one'),
  ],
])('Closing %s ends a read that waits for its server', async (_what, opened) => {
  const server = await startHttpServer({
    'resources/read': ({ status }) => status(429, 'slow down', { 'retry-after': '9' }),
  });
  await using session = await opened(server.url);
  const paused = timerOf(9_000);
  const read = failureOf(session.readResource('a:b'));
  await paused();
  await session.close();
  expect(await read).toMatchObject({ code: 'SESSION_CLOSED' });
  expect(server.methods().filter((method) => method === 'resources/read')).toHaveLength(1);
  await server.close();
});

test('The tools of a URL can be closed while their list waits for its server', async () => {
  let lists = 0;
  const server = await startHttpServer({
    'tools/list': ({ plain, status }) => (++lists > 1 ? status(503, 'busy', { 'retry-after': '9' }) : plain()),
  });
  const tools = await agentTools({ url: server.url });
  const paused = timerOf(9_000);
  const refreshed = tools.refresh().then(
    () => 'listed',
    () => 'failed',
  );
  await paused();
  await tools.close();
  await refreshed;
  expect(lists).toBe(2);
  await server.close();
});
