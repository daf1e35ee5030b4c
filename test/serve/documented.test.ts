import { expect, test } from 'vitest';
import { startHttpServer } from '../../test-support/servers/http.js';
import { recording, servedOverHttp } from './as-process.js';
import { begun, callHeaders, callOf, post, statelessCall } from './raw-clients.js';

// Sentences of docs/serve.md, each tested with the command as a process.

const asks = { method: 'elicitation/create', params: { message: '?', requestedSchema: { type: 'object' } } };

/** It has the tools `hang`, which never answers, `ask`, which asks and then answers, and `say`. */
const server = () =>
  recording(
    `'tools/list': { tools: ['hang', 'ask', 'say'].map((name) => ({ name, inputSchema: { type: 'object' } })) },
    'tools/call': params?.name === 'say' && { content: [{ type: 'text', text: params.arguments.text ?? 'said' }] },`,
    `if (method === 'tools/call' && params.name === 'hang') return;
    if (method === 'tools/call' && params.name === 'ask') return print({ id: 'q' + id, ...${JSON.stringify(asks)} });
    if (method === undefined && String(id).startsWith('q')) return print({ id: Number(id.slice(1)), result: { content: [] } });`,
  );

const ping = { id: 'p', method: 'ping' };
test('With --max-sessions, a client gets the place of the longest unused session, or 503 while all are busy', async () => {
  const gateway = await servedOverHttp(['--max-sessions', '2', ...server().command]);
  const [one, two] = [await begun(gateway.url), await begun(gateway.url)];
  const hanging = await Promise.all([one, two].map(({ send }) => send(callOf('hang', 1))));
  expect((await begun(gateway.url)).status).toBe(503);
  await gateway.logged(/refused status=503 reason="All sessions are busy/);
  await hanging[1]!.body!.cancel();
  await two.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
  // A client that only listens is not busy.
  const stop = new AbortController();
  await two.listen(undefined, stop.signal);
  const third = await begun(gateway.url);
  expect([third.status, (await two.send(ping)).status, (await one.send(ping)).status]).toEqual([200, 404, 200]);
  stop.abort();
});

test('The token of a request over HTTP is not passed on by serve', async () => {
  const behind = await startHttpServer({});
  const token = 'token-of-the-client-1';
  const args = ['--url', behind.url, '--token', '${TOKEN}'];
  const gateway = await servedOverHttp(args, { env: { TOKEN: token } });
  const { status } = await begun(gateway.url, token);
  await behind.close();
  const seen = JSON.stringify(behind.seen.map(({ headers }) => headers));
  expect([status, behind.seen.length > 0, seen.includes(token)]).toEqual([200, true, false]);
  expect(gateway.stderr()).not.toContain(token);
});

test('The names of clients whose calls were cancelled are not kept in memory', async () => {
  const { command, got } = server();
  const env = { NODE_OPTIONS: '--max-old-space-size=80' };
  const gateway = await servedOverHttp(command, { env });
  for (let count = 1; count <= 15; count++) {
    const stop = new AbortController();
    const text = JSON.stringify({ jsonrpc: '2.0', ...statelessCall('hang', count) });
    const body = text.replace('"same"', `"${count}${'x'.repeat(7_000_000)}"`);
    const sent = post(gateway.url, body, callHeaders('hang'), stop.signal).catch(() => {});
    await expect.poll(() => got('tools/call').length, { timeout: 20_000 }).toBe(count);
    stop.abort();
    await sent;
  }
  expect(await (await fetch(new URL('/health', gateway.url))).text()).toBe('ok');
});
