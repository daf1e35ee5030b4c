import { describe, expect, test } from 'vitest';
import { answered, called, echoing, envelope, greeted } from './in-front.js';
import { inFront, inFrontOverHttp, replaying, scripted } from './in-front.js';
import { begun, callOf } from './raw-clients.js';

const tool = '{"name":"search","inputSchema":{"type":"object","properties":{"tenant":{"type":"string"}}}}';

const { at, requests } = replaying({ s: [tool] });
const methods = () => requests('s').map(({ method }) => method);
const call = { method: 'tools/call', params: { name: 'search', arguments: { tenant: 'evil' } } };

/** Notifications that no revision allows a client to send. */
const strays = [call, { method: 'vendor/strange' }, { method: 'resources/subscribe', params: { uri: 'a:/' } }];

describe('messages without an id that the revision does not define', () => {
  test.each(strays)('An undefined message without an id reaches no server over stdio: $method', async (message) => {
    await using front = greeted(at('s'), { fixed: { search: { tenant: 'ours' } } });
    front.write(JSON.stringify({ jsonrpc: '2.0', ...message }));
    await called(front, 'search');
    expect(methods().filter((method) => method === message.method)).toHaveLength(message === call ? 1 : 0);
    expect(JSON.stringify(requests('s'))).not.toContain('evil');
  });

  test.each(strays)(
    'An undefined message without an id reaches no server over HTTP, with several servers: $method',
    async (message) => {
      const token = 'the-token';
      await using front = await inFrontOverHttp({ a: at('s'), b: at('s') }, { token });
      const { send } = await begun(front.url, token);
      expect((await send(message)).status).toBe(202);
      await (await send({ id: 2, method: 'tools/list' })).text();
      expect(methods().filter((method) => method === message.method)).toEqual([]);
    },
  );
});

test.each([
  ['2025-11-25', 'server/discover'],
  ['2025-11-25', 'vendor/strange'],
  ['2025-11-25', 'sampling/createMessage'],
  ['2025-11-25', 'constructor'],
  ['2026-07-28', 'initialize'],
  ['2026-07-28', 'logging/setLevel'],
  ['2026-07-28', 'vendor/strange'],
])('A request that %s does not define is answered with an error: %s', async (revision, method) => {
  const isStateless = revision === '2026-07-28';
  await using front = isStateless ? inFront(at('s')) : greeted(at('s'));
  expect(await answered(front, method, isStateless ? envelope() : {})).toMatchObject({
    error: { code: -32601, message: `Method not found: ${method}` },
  });
  expect(methods()).not.toContain(method);
});

test("A server's message that no revision defines reaches no client", async () => {
  const sends = `if (method === 'notifications/initialized') {
      print({ method: 'vendor/strange', params: {} });
      print({ id: 'q', method: 'vendor/question', params: {} });
    }
    if (error) print({ method: 'notifications/message', params: { level: 'info', data: error.code } });`;
  await using front = greeted(scripted('', sends));
  expect(await front.line(({ method }) => method === 'notifications/message')).toContain('-32601');
  expect(front.lines.join('\n')).not.toContain('vendor');
});

test('A request is refused if its id is in flight, and the first one is answered', async () => {
  await using front = greeted(echoing);
  front.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask"}}');
  const { id } = await front.message(({ method }) => method === 'elicitation/create');
  front.write('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  expect(await front.line(({ error }) => error !== undefined)).toContain(
    'A request with this id is already in flight.',
  );
  front.write(JSON.stringify({ jsonrpc: '2.0', id, result: { action: 'decline' } }));
  expect(await front.line((message) => message.id === 1 && 'result' in message)).toContain('decline');
});

test('A request over HTTP is refused with the status if its id is in flight, and the first one keeps its response', async () => {
  await using front = await inFrontOverHttp(echoing);
  const { send } = await begun(front.url);
  const first = await send(callOf('ask'));
  expect((await send({ id: 1, method: 'ping' })).status).toBe(400);
  const reader = first.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('elicitation/create')) text += (await reader.read()).value ?? '';
  const [, id] = /"id":(\d+),"method":"elicitation/.exec(text)!;
  await send({ id: Number(id), result: { action: 'decline' } });
  for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
  expect(text).toContain('"id":1,"result":');
});

test('The response to a cancelled request over HTTP ends, and its id may be used again', async () => {
  await using front = await inFrontOverHttp(echoing);
  const { send } = await begun(front.url);
  const hanging = await send(callOf('hang'));
  await send({ method: 'notifications/cancelled', params: { requestId: 1 } });
  expect(await hanging.text()).not.toContain('"id":1');
  expect((await send({ id: 1, method: 'ping' })).status).toBe(200);
});
