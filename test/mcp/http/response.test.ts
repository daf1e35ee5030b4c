import { describe, expect, test } from 'vitest';
import { connect } from '../../../src/mcp/index.js';
import type { Exchange } from '../../../test-support/servers/http.js';
import { until } from '../../../test-support/waiting.js';
import { failureOf, toolNamed } from '../calling.js';
import { closeAfterEach, connected, echo, given } from '../serving.js';

closeAfterEach();

describe('a response', () => {
  const onCall = (answer: (exchange: Exchange) => unknown) => (exchange: Exchange) =>
    exchange.message.method === 'tools/call' ? answer(exchange) : exchange.plain();

  test('stream with events that are no JSON is read past them', async () => {
    const server = await given(
      onCall(({ stream, message, response }) => {
        const send = stream();
        response.write('data: { not json\n\ndata:\n\nevent: unheard-of\ndata: 1\n\n');
        send({ id: message.id, result: { content: [{ type: 'text', text: 'after the noise' }] } });
        response.end();
      }),
    );
    expect(await echo(await connected(server))).toBe('after the noise');
  });

  test.each([
    ['JSON', (exchange: Exchange, text: string) => exchange.result({ content: [{ type: 'text', text }] })],
    [
      'an event stream',
      ({ stream, message, response }: Exchange, text: string) => {
        stream()({ id: message.id, result: { content: [{ type: 'text', text }] } });
        response.end();
      },
    ],
  ])('may have 50 MB, as %s', async (_, send) => {
    const server = await given(onCall((exchange) => send(exchange, 'x'.repeat(50_000_000))));
    expect(await echo(await connected(server))).toHaveLength(50_000_000);
  });

  test('whose body never ends is given up after the time limit, and its socket with it', async () => {
    let gone = false;
    const server = await given(
      onCall(({ response, message }) => {
        response.on('close', () => (gone = true));
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write(`{"jsonrpc":"2.0","id":${message.id},"result":{`);
      }),
    );
    const session = await connected(server);
    expect(await failureOf(session.callTool(toolNamed('echo'), {}, { idleTimeoutMs: 300 }))).toMatchObject({
      code: 'TIMEOUT',
    });
    await until(() => gone);
  });

  test('of HTTP 404 everywhere gives an error with a hint at the path', async () => {
    const server = await given(({ status }) => status(404, '<html>Not found</html>'));
    const error = await failureOf(connect({ url: server.url }));
    expect(error).toMatchObject({ code: 'HTTP_STATUS', status: 404, hint: expect.stringContaining('path') });
    expect(error.message).not.toContain('<');
  });
});
