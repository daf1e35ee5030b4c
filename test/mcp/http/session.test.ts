import { saysNoSession } from '../../../src/mcp/errors/http-problem.js';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../test-support/servers/http.js';
import { until } from '../../../test-support/waiting.js';
import { failureOf, toolNamed } from '../calling.js';
import { closeAfterEach, connected, echo, given } from '../serving.js';

closeAfterEach();

/** A server whose sessions can be made to end. */
function withSessions(refuse: (exchange: Exchange) => void) {
  let count = 0;
  const known = new Set<string>();
  return {
    forget: () => known.clear(),
    handle: (exchange: Exchange) => {
      const id = exchange.headers['mcp-session-id'] as string | undefined;
      if (exchange.message.method === 'initialize') {
        const fresh = `session-${++count}`;
        known.add(fresh);
        exchange.result(
          { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
          { 'mcp-session-id': fresh },
        );
        return;
      }
      if (id === undefined || !known.has(id)) {
        refuse(exchange);
        return;
      }
      if (exchange.verb === 'DELETE') known.delete(id);
      exchange.plain();
    },
  };
}

describe('an HTTP session', () => {
  test('takes one round trip to open, and one for each request', async () => {
    const server = await given(({ plain }) => plain());
    const session = await connected(server);
    await session.listTools();
    await session.listTools();
    expect(await echo(session)).toBe('{"a":1}');
    expect(server.methods()).toEqual(['initialize', 'notifications/initialized', 'tools/list', 'tools/call']);
    expect(session).toMatchObject({ transport: 'http', protocolVersion: '2025-11-25' });
  });

  test.each<[string, (exchange: Exchange) => void]>([
    [
      '404',
      ({ status }) => status(404, '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}'),
    ],
    [
      '400',
      ({ status }) =>
        status(
          400,
          '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}',
        ),
    ],
    [
      '400, of the Python SDK',
      ({ status }) =>
        status(
          400,
          '{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Bad Request: Missing session ID"}}',
        ),
    ],
  ])('that the server has forgotten (%s) is opened anew, once for all who notice', async (_, refuse) => {
    const { handle, forget } = withSessions(refuse);
    const server = await given(handle);
    const session = await connected(server);
    forget();
    expect(await Promise.all([echo(session), echo(session), echo(session)])).toEqual(['{"a":1}', '{"a":1}', '{"a":1}']);
    expect(server.methods().filter((method) => method === 'initialize')).toHaveLength(2);
    expect(server.methods().filter((method) => method === 'tools/call')).toHaveLength(6);
  });

  test('that was opened anew has its tools listed anew: the server may be another one', async () => {
    const { handle, forget } = withSessions(({ status }) => status(404));
    const server = await given(handle);
    const session = await connected(server);
    await session.listTools();
    forget();
    await echo(session);
    await session.listTools();
    await session.listTools();
    expect(server.methods().filter((method) => method === 'tools/list')).toHaveLength(2);
  });

  test('is not opened anew where the server only speaks of an argument of that name', async () => {
    const { handle } = withSessions(({ status }) => status(404));
    const refusal = '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"session_id is required"}}';
    const server = await given((exchange) =>
      exchange.message.method === 'tools/call' ? exchange.status(400, refusal) : handle(exchange),
    );
    expect(await failureOf(echo(await connected(server)))).toMatchObject({ code: 'SERVER_ERROR', rpcCode: -32602 });
    expect(server.methods().filter((method) => method === 'tools/call')).toHaveLength(1);
  });

  test.each<[string, number, (id: unknown) => unknown]>([
    [
      'another session',
      400,
      () => ({ jsonrpc: '2.0', id: null, error: { message: 'Mail not sent: invalid mail session' } }),
    ],
    ['no session being needed', 400, () => 'Row deleted. A new session is not required.'],
    ['no session being required', 400, () => 'Session not required.'],
    ['a session of its own', 400, () => ({ error: 'The booking of session 12 was made but not confirmed' })],
    [
      'itself, with an error',
      404,
      (id) => ({ jsonrpc: '2.0', id, error: { message: 'Record 7 not found after update' } }),
    ],
    ['itself, with a result', 404, (id) => ({ jsonrpc: '2.0', id, result: { content: [] } })],
  ])(
    'is not opened anew, and the call not sent again, for an answer that speaks of %s (HTTP %i)',
    async (_, code, body) => {
      const { handle } = withSessions(({ status }) => status(404));
      const server = await given((exchange) => {
        if (exchange.message.method !== 'tools/call') {
          handle(exchange);
          return;
        }
        const answer = body(exchange.message.id);
        exchange.status(code, typeof answer === 'string' ? answer : JSON.stringify(answer));
      });
      await echo(await connected(server)).catch(() => {});
      expect(server.methods().filter((method) => method === 'tools/call')).toHaveLength(1);
      expect(server.methods().filter((method) => method === 'initialize')).toHaveLength(1);
    },
  );

  test.each([
    ...['Session not found', 'Invalid or missing session ID', 'Bad Request: No valid session ID provided'],
    ...['Bad Request: Server not initialized', 'Unknown session: session-1', 'No session found with id "session-1".'],
    ...['Session has expired', 'Bad Request: Mcp-Session-Id header is required', 'No transport found for sessionId'],
  ])('is opened anew for "%s"', (text) => {
    const message = { jsonrpc: '2.0', id: null, error: { message: text } };
    expect([text, JSON.stringify(message)].map((body) => saysNoSession(body, 'session-1'))).toEqual([true, true]);
  });

  test('that the server always forgets ends in an error', async () => {
    let count = 0;
    const server = await given((exchange) => {
      if (exchange.message.method === 'tools/call') {
        exchange.status(404, 'no such session');
        return;
      }
      if (exchange.message.method !== 'initialize') {
        exchange.plain();
        return;
      }
      exchange.result(
        { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } },
        { 'mcp-session-id': String(++count) },
      );
    });
    const session = await connected(server);
    expect(await failureOf(echo(session))).toMatchObject({ status: 404 });
    expect(count).toBe(2);
  });

  test('is closed even if the server does not want to end it', async () => {
    const { handle } = withSessions(({ status }) => status(404));
    const server = await given((exchange) => (exchange.verb === 'DELETE' ? undefined : handle(exchange)));
    const session = await connected(server);
    await session.close();
    expect(session.ended).toBe(true);
  });

  test('that is opened anew for one who gives up is there for the others', async () => {
    const { handle, forget } = withSessions(({ status }) => status(404));
    const cancel = new AbortController();
    let opened = 0;
    const server = await given(async (exchange) => {
      if (exchange.message.method === 'initialize' && ++opened === 2) {
        cancel.abort();
        await first;
      }
      handle(exchange);
    });
    const session = await connected(server);
    forget();
    const first = failureOf(session.callTool(toolNamed('echo'), {}, { signal: cancel.signal }));
    const second = echo(session);
    expect(await first).toMatchObject({ code: 'CANCELLED' });
    expect(await second).toBe('{"a":1}');
    expect(opened).toBe(2);
  });

  test('sends a call once, even if the answer is lost', async () => {
    const server = await given((exchange) =>
      exchange.message.method === 'tools/call' ? exchange.response.destroy() : exchange.plain(),
    );
    const session = await connected(server);
    expect(await failureOf(echo(session))).toMatchObject({
      code: 'CONNECTION_LOST',
      message: expect.stringContaining('closed the connection'),
      outcomeUnknown: true,
    });
    expect(server.methods().filter((method) => method === 'tools/call')).toHaveLength(1);
  });
});

describe('a call over HTTP', () => {
  test('with long arguments arrives to the character, wherever they are cut on their way', async () => {
    const server = await given((exchange) => exchange.plain());
    const session = await connected(server);
    for (const before of ['', 'a']) {
      const text = `${before}${'😀é\u2028'.repeat(40_000)}`;
      await session.callTool(toolNamed('echo'), { text });
      expect(server.seen.at(-1)?.message).toMatchObject({ params: { arguments: { text } } });
    }
  });

  test('that is cancelled is heard of by the server and frees its socket', async () => {
    let gone = false;
    const server = await given((exchange) => {
      if (exchange.message.method !== 'tools/call') {
        exchange.plain();
        return;
      }
      exchange.response.on('close', () => (gone = true));
      exchange.stream();
    });
    const session = await connected(server);
    const cancel = new AbortController();
    const call = failureOf(session.callTool(toolNamed('echo'), {}, { signal: cancel.signal }));
    await until(() => server.methods().includes('tools/call'));
    cancel.abort();
    expect(await call).toMatchObject({ code: 'CANCELLED' });
    await until(() => gone && server.methods().includes('notifications/cancelled'));
  });
});

describe("the host's own fetch", () => {
  test('makes every request', async () => {
    const server = await given((exchange) =>
      exchange.path === '/mcp' ? exchange.status(307, '', { location: '/hop' }) : exchange.plain(),
    );
    const asked: string[] = [];
    const session = await connected(
      server,
      {},
      {
        fetch: (input, init) => {
          asked.push(new URL(input instanceof Request ? input.url : input).pathname);
          expect(init?.redirect).toBe('manual');
          return fetch(input, init);
        },
      },
    );
    await session.listTools();
    expect(asked).toHaveLength(server.seen.length);
    expect(asked).toContain('/hop');
  });
});
