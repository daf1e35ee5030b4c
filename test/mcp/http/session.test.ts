import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { callTool, resultText } from '../../../src/internal.js';
import type { Exchange } from '../../../test-support/servers/http.js';
import { until } from '../../../test-support/waiting.js';
import { failureOf, toolNamed } from '../calling.js';
import { given, closeAfterEach, connected, echo, forgetful, times } from '../serving.js';

closeAfterEach();

/** The texts of servers that have forgotten a session, and of those that have not. */
const { gone, kept } = JSON.parse(readFileSync(new URL('./refusals.json', import.meta.url), 'utf8')) as {
  gone: [status: number, body: object | string][];
  kept: [about: string, status: number, body: object | string][];
};
const textOf = (body: object | string) => (typeof body === 'string' ? body : JSON.stringify(body));

describe('an HTTP session', () => {
  test('An HTTP session needs one round trip to open, and every request names it and the revision', async () => {
    const { server } = await forgetful();
    const session = await connected(server);
    await session.listTools();
    await session.listTools();
    expect(await echo(session)).toBe('{"a":1}');
    expect(server.methods()).toEqual(['initialize', 'notifications/initialized', 'tools/list', 'tools/call']);
    expect(session).toMatchObject({ transport: 'http', protocolVersion: '2025-11-25' });
    await session.close();
    const named = ({ verb, headers }: Exchange) => [verb, headers['mcp-session-id'], headers['mcp-protocol-version']];
    const inSession = ['POST', 's1', '2025-11-25'];
    const end = ['DELETE', 's1', '2025-11-25'];
    expect(server.seen.map(named)).toEqual([['POST', undefined, undefined], inSession, inSession, inSession, end]);
  });

  test.each(gone)(
    'An HTTP session that the server has forgotten (%i %j) is opened again once for all requests that notice',
    async (code, body) => {
      const { server, forget } = await forgetful({}, ({ status }) => status(code, textOf(body)));
      const session = await connected(server);
      forget();
      expect(await Promise.all([echo(session), echo(session), echo(session)])).toEqual(Array(3).fill('{"a":1}'));
      expect(times(server, 'initialize')).toBe(2);
      expect(times(server, 'tools/call')).toBe(6);
    },
  );

  test.each<[number, (about: Exchange['message']) => string | object]>([
    [400, ({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32000, message: `No session, request ${id}` } })],
    [404, ({ method }) => `There is no session for ${method}.`],
    [404, ({ method, id }) => ({ message: `${method} ${id} (trace 0.x7vqzkw${id}abc) has no session` })],
  ])(
    'An HTTP session that the server has forgotten is also opened again if HTTP %i names the request: %s',
    async (code, words) => {
      const { server, forget } = await forgetful({}, ({ status, message }) => {
        status(code, textOf(words(message)));
      });
      const session = await connected(server);
      forget();
      expect(await echo(session)).toBe('{"a":1}');
      expect([times(server, 'tools/call'), times(server, 'initialize')]).toEqual([2, 2]);
    },
  );

  test.each([400, 401, 404, 410])(
    'An HTTP session with a server that rejects every ping with %i never sends a call twice',
    async (code) => {
      const refuse = ({ status }: Exchange) => status(code, 'Bad request');
      const { server } = await forgetful({ 'tools/call': refuse, ping: refuse });
      expect(await failureOf(echo(await connected(server)))).toMatchObject({ status: code });
      expect(times(server, 'tools/call')).toBe(1);
    },
  );

  test('The loss of an HTTP session is reported to a listener, and in the result of the first call', async () => {
    const { server, forget } = await forgetful();
    const session = await connected(server);
    const replaced: unknown[] = [];
    session.onReconnect(() => replaced.push('first'));
    session.onReconnect(() => replaced.push('second'))();
    const outcomes = [await callTool(session, toolNamed('echo'), {})];
    forget();
    for (let calls = 0; calls < 2; calls++) outcomes.push(await callTool(session, toolNamed('echo'), {}));
    expect(outcomes.map(({ warnings }) => warnings.map(({ code }) => code))).toEqual([[], ['session-lost'], []]);
    expect(resultText(outcomes[1]!.result)).toContain('The server had lost its session');
    expect(replaced).toEqual(['first']);
  });

  test.each(kept)(
    'An HTTP session is not opened again, nor its call repeated, for an answer about %s',
    async (_, code, body) => {
      const { server } = await forgetful({ 'tools/call': ({ status }) => status(code, textOf(body)) });
      await echo(await connected(server)).catch(() => {});
      expect([times(server, 'tools/call'), times(server, 'initialize')]).toEqual([1, 1]);
    },
  );

  test('An HTTP session keeps the text of an error outside JSON-RPC, and knows that the call was not carried out', async () => {
    const body = JSON.stringify({ error: 'Session not found' });
    const inEvent = ({ status }: Exchange) => status(200, `data: ${body}\n\n`, { 'content-type': 'text/event-stream' });
    const inBody = ({ status }: Exchange) => status(200, body, { 'content-type': 'application/json' });
    for (const refuse of [inEvent, inBody]) {
      const { server } = await forgetful({ 'tools/call': refuse });
      const call = (await connected(server)).callTool(toolNamed('echo'), {});
      const failure = await failureOf(call);
      expect(failure).toMatchObject({ code: 'SERVER_ERROR', details: 'Session not found', outcomeUnknown: false });
    }
  });

  test('An HTTP session that is being opened again serves the other callers if one gives up', async () => {
    const cancel = new AbortController();
    let opened = 0;
    const { server, forget } = await forgetful({
      initialize: () => {
        if (++opened < 2) return;
        cancel.abort();
        return first;
      },
    });
    const session = await connected(server);
    forget();
    const first = failureOf(session.callTool(toolNamed('echo'), {}, { signal: cancel.signal }));
    const second = echo(session);
    expect(await first).toMatchObject({ code: 'CANCELLED' });
    expect(await second).toBe('{"a":1}');
    expect(opened).toBe(2);
  });
});

test('A cancelled call over HTTP is cancelled at the server and frees its socket', async () => {
  let gone = false;
  const server = await given({
    'tools/call': ({ response, stream }) => {
      response.on('close', () => (gone = true));
      stream();
    },
  });
  const session = await connected(server);
  const cancel = new AbortController();
  const call = failureOf(session.callTool(toolNamed('echo'), {}, { signal: cancel.signal }));
  await until(() => server.methods().includes('tools/call'));
  cancel.abort();
  expect(await call).toMatchObject({ code: 'CANCELLED' });
  await until(() => gone && server.methods().includes('notifications/cancelled'));
});

test('A given fetch function makes every request', async () => {
  const server = await given((exchange) =>
    exchange.path === '/mcp' ? exchange.status(307, '', { location: '/hop' }) : exchange.plain(),
  );
  const asked: string[] = [];
  const recorded: typeof fetch = (input, init) => {
    asked.push(new URL(input instanceof Request ? input.url : input).pathname);
    expect(init?.redirect).toBe('manual');
    return fetch(input, init);
  };
  const session = await connected(server, {}, { fetch: recorded });
  await session.listTools();
  expect(asked).toHaveLength(server.seen.length);
  expect(asked).toContain('/hop');
});
