import { describe, expect, test } from 'vitest';
import { called, echoing, greeted } from './in-front.js';
import { inFrontOverHttp, replaying, scripted } from './in-front.js';
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

test('The response to a cancelled request over HTTP ends, and its id may be used again', async () => {
  await using front = await inFrontOverHttp(echoing);
  const { send } = await begun(front.url);
  const hanging = await send(callOf('hang'));
  await send({ method: 'notifications/cancelled', params: { requestId: 1 } });
  expect(await hanging.text()).not.toContain('"id":1');
  expect((await send({ id: 1, method: 'ping' })).status).toBe(200);
});
