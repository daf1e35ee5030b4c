import { describe, expect, test } from 'vitest';
import type { ServerResponse } from 'node:http';
import type { Exchange } from '../../../test-support/servers/http.js';
import { failureOf } from '../calling.js';
import { until } from '../../../test-support/waiting.js';
import { closeAfterEach, connected, echo, given } from '../serving.js';

closeAfterEach();

const text = (value: string) => ({ content: [{ type: 'text', text: value }] });

describe('an answer', () => {
  test('with the code of a header mismatch is one like any other where no headers are mirrored', async () => {
    const server = await given(({ message, json, plain }) => {
      const error = { code: -32020, message: 'the tool has failed' };
      if (message.method === 'tools/call') json({ jsonrpc: '2.0', id: message.id, error });
      else plain();
    });
    expect(await failureOf(echo(await connected(server)))).toMatchObject({ code: 'SERVER_ERROR', rpcCode: -32020 });
    expect(server.methods()).toEqual(['initialize', 'notifications/initialized', 'tools/call']);
  });

  test('to another request does not end the call that it comes to, which goes on', async () => {
    const server = await given(({ message, plain, stream, response }) => {
      if (message.method !== 'tools/call') {
        plain();
        return;
      }
      const send = stream();
      send({ id: 99, result: text('for nobody') });
      send({ id: 'x', error: { code: 1, message: 'for nobody' } });
      send({ level: 30, id: message.id, jsonrpc: undefined, result: text('a log') });
      send({ id: message.id, result: text('for this one') });
      response.end();
    });
    expect(await echo(await connected(server))).toBe('for this one');
  });
});

describe('a handshake', () => {
  test.each<[string, Record<string, unknown>]>([
    ['capabilities of null', { capabilities: null }],
    ['capabilities in a list', { capabilities: [] }],
    ['a server without a name', { serverInfo: {} }],
    ['no server info', { serverInfo: undefined }],
    ['instructions in a list', { instructions: ['be exact'] }],
  ])('with %s is understood', async (_, odd) => {
    const server = await given((exchange) =>
      exchange.message.method === 'initialize'
        ? exchange.result({
            protocolVersion: '2025-11-25',
            capabilities: { tools: {} },
            serverInfo: { name: 'x' },
            ...odd,
          })
        : exchange.plain(),
    );
    const session = await connected(server);
    expect((await session.listTools()).tools).toHaveLength(1);
  });
});

describe('a server of the SSE transport that is found by fallback', () => {
  test('is found beside an address that ends in /mcp, too', async () => {
    const server = await given(({ verb, path, status, response, message }) => {
      if (path === '/messages') {
        status(202);
        stream?.write(
          `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { protocolVersion: '2024-11-05', capabilities: {} } })}\n\n`,
        );
        return;
      }
      if (verb !== 'GET' || path !== '/sse') {
        status(404);
        return;
      }
      stream = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: endpoint\ndata: /messages\n\n');
    });
    let stream: ServerResponse | undefined;
    expect(await connected(server)).toMatchObject({ transport: 'sse', protocolVersion: '2024-11-05' });
  });
});

describe('a redirect within the origin', () => {
  test.each([302, 307, 308])('to itself (HTTP %i) ends at once, and what came of the call is unknown', async (code) => {
    const server = await given((exchange) =>
      exchange.message.method === 'tools/call' ? exchange.status(code, '', { location: '/mcp' }) : exchange.plain(),
    );
    expect(await failureOf(echo(await connected(server)))).toMatchObject({
      status: code,
      outcomeUnknown: true,
      details: 'It redirects in a circle, or too often.',
      hint: 'Check the URL, and how the server, or what is in front of it, redirects.',
    });
    expect(server.methods().filter((method) => method === 'tools/call')).toHaveLength(1);
  });
});

describe('a server that wants too much', () => {
  test('by refusing what is too large for it, gives an error with a hint at the size', async () => {
    const server = await given((exchange) =>
      exchange.message.method === 'tools/call' ? exchange.status(413) : exchange.plain(),
    );
    expect(await failureOf(echo(await connected(server)))).toMatchObject({
      status: 413,
      hint: expect.stringContaining('less'),
    });
  });
});

describe('the stream for what a server sends unasked', () => {
  const capable = (capabilities: object) => (exchange: Exchange) =>
    exchange.message.method === 'initialize'
      ? exchange.result({ protocolVersion: '2025-11-25', capabilities })
      : exchange.verb === 'GET'
        ? void exchange.stream()
        : exchange.plain();
  const opened = (server: Awaited<ReturnType<typeof given>>) => server.seen.filter(({ verb }) => verb === 'GET').length;

  test.each<[string, object, boolean, number]>([
    ['says that its tools may change', { tools: { listChanged: true } }, false, 1],
    ['says nothing of the kind', { tools: {} }, false, 0],
    ['says nothing of the kind to somebody who listens', { tools: {} }, true, 1],
  ])('is opened where the server %s', async (_, capabilities, listens, count) => {
    const server = await given(capable(capabilities));
    const session = await connected(server, listens ? { onNotification: () => {} } : {});
    await session.listTools();
    await echo(session);
    if (count > 0) await until(() => opened(server) === count);
    expect(opened(server)).toBe(count);
  });
});
