import { Agent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { expect, test } from 'vitest';
import { exchangeOf } from '../../nodes/host/exchange.js';
import type { Exchange } from '../../src/mcp/index.js';
import { closeAfterEach, given } from '../mcp/serving.js';

closeAfterEach();

const ok = { ok: true } as const;
type Service = Parameters<typeof exchangeOf>[0];

/** n8n's service, and which of its ways out were taken. */
function service({ egressFilter }: Pick<Service, 'egressFilter'>): Service & { taken: string[] } {
  const taken: string[] = [];
  const watched = (options: { keepAlive?: boolean }) => {
    const agent = new Agent(options);
    const connect = agent.createConnection.bind(agent);
    agent.createConnection = (...of) => {
      taken.push(options.keepAlive ? 'kept' : 'lasting');
      return connect(...of);
    };
    return agent;
  };
  return {
    taken,
    transport: () => ({
      asCustomFetch: () => (input, init) => {
        taken.push('fetch');
        return fetch(input, init);
      },
      getNodeAgent: (options) => ({ httpAgent: watched(options), httpsAgent: new HttpsAgent(options) }),
    }),
    ...(egressFilter && { egressFilter }),
  };
}

const asked = (exchange: Exchange, url: string, request: { lasting?: boolean; signal?: AbortSignal } = {}) =>
  exchange({ url: new URL(url), method: 'POST', headers: {}, signal: new AbortController().signal, ...request });

const answering = () => given(({ response }) => response.end('here'));

test("requests go over n8n's agents, one connection for many, and streams that last over others", async () => {
  const server = await answering();
  const host = service({ egressFilter: () => ({ validateUrl: () => Promise.resolve(ok) }) });
  const exchange = exchangeOf(host);
  for (const lasting of [false, false, true, true])
    expect(await (await asked(exchange, server.url, { lasting })).text(10)).toBe('here');
  expect(host.taken).toEqual(['kept', 'lasting', 'lasting']);
});

test('what n8n does not allow is not sent, and its own error says why', async () => {
  const server = await answering();
  const error = new Error('restricted');
  const asking: string[] = [];
  const validateUrl = (url: URL) => {
    asking.push(url.href);
    return Promise.resolve({ ok: false, error } as const);
  };
  const host = service({ egressFilter: () => ({ validateUrl }) });
  await expect(asked(exchangeOf(host), server.url)).rejects.toBe(error);
  expect(asking).toEqual([server.url]);
  expect(host.taken).toEqual([]);
});

test('a request that is given up meanwhile does not wait for that', async () => {
  const abort = new AbortController();
  const host = service({ egressFilter: () => ({ validateUrl: () => new Promise(() => {}) }) });
  const refused = expect(asked(exchangeOf(host), 'http://127.0.0.1:9', { signal: abort.signal })).rejects.toThrow();
  abort.abort();
  await refused;
});

test('an n8n without the filter is asked for its fetch, which has it within', async () => {
  const server = await answering();
  const host = service({});
  expect(await (await asked(exchangeOf(host), server.url)).text(10)).toBe('here');
  expect(host.taken).toEqual(['fetch']);
});
