import { expect, test } from 'vitest';
import { connect } from '../../../src/mcp/index.js';
import { startHttpServer } from '../../../test-support/servers/http.js';
import { failureOf } from '../calling.js';
import { echo } from '../serving.js';

/** A server whose first answer to each method is "busy". */
async function busy(seconds: string) {
  const seen = new Set<string>();
  return startHttpServer(({ message: { method }, plain, status }) => {
    const isFirst = ['tools/list', 'tools/call'].includes(method) && !seen.has(method);
    seen.add(method);
    if (isFirst) status(429, 'slow down', { 'retry-after': seconds });
    else plain();
  });
}

test('A read waits once as the server asks, and a call does not', async () => {
  await using server = await busy('0');
  await using session = await connect({ url: server.url });
  expect((await session.listTools()).tools).toHaveLength(1);
  expect(await failureOf(echo(session))).toMatchObject({ status: 429, retryAfterMs: 0, outcomeUnknown: false });
});

test('A read that is to wait for more than ten seconds fails, and the error says for how long', async () => {
  await using server = await busy('11');
  await using session = await connect({ url: server.url });
  const hint = expect.stringContaining('It asks to wait 11 s.') as string;
  expect(await failureOf(session.listTools())).toMatchObject({ status: 429, retryAfterMs: 11_000, hint });
});

test('A result whose isError is the text "true" is an error', async () => {
  await using server = await startHttpServer(({ message, plain, result }) => {
    if (message.method === 'tools/call') result({ content: [], isError: 'true' });
    else plain();
  });
  await using session = await connect({ url: server.url });
  const [tool] = (await session.listTools()).tools;
  expect((await session.callTool(tool!, {})).isError).toBe(true);
});
