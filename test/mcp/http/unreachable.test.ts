import { createServer, type AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { connect } from '../../../src/mcp/index.js';
import { failureOf } from '../calling.js';
import { closeAfterEach, closeLater, given } from '../serving.js';

closeAfterEach();

describe('a server that cannot be reached', () => {
  test('because nothing listens there', async () => {
    const unused = createServer();
    await new Promise<void>((resolve) => unused.listen(0, '127.0.0.1', resolve));
    const { port } = unused.address() as AddressInfo;
    await new Promise((resolve) => unused.close(resolve));
    expect(await failureOf(connect({ url: `http://127.0.0.1:${port}/mcp` }))).toMatchObject({
      code: 'CONNECTION_FAILED',
      message: expect.stringContaining('ECONNREFUSED'),
      hint: expect.stringContaining('Start the server'),
    });
  });

  test('because its name does not resolve', async () => {
    const error = await failureOf(connect({ url: 'http://no-such-host.invalid/mcp?token=hidden-in-query' }));
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED', message: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/) });
    expect(error.message).not.toContain('hidden-in-query');
  });

  test('because it does not speak TLS', async () => {
    const server = await given(({ plain }) => plain());
    expect(await failureOf(connect({ url: server.url.replace('http:', 'https:') }))).toMatchObject({
      code: 'CONNECTION_FAILED',
      message: expect.stringContaining('TLS'),
    });
  });

  test('because its TLS handshake fails', async () => {
    const server = createTlsServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closeLater(server);
    const { port } = server.address() as AddressInfo;
    expect(await failureOf(connect({ url: `https://127.0.0.1:${port}/mcp` }))).toMatchObject({
      code: 'CONNECTION_FAILED',
    });
  });

  test('because it accepts connections and says nothing', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    closeLater(silent);
    const { port } = silent.address() as AddressInfo;
    expect(await failureOf(connect({ url: `http://127.0.0.1:${port}/mcp` }, { idleTimeoutMs: 300 }))).toMatchObject({
      code: 'TIMEOUT',
    });
  });

  test.each([['not a url'], ['ftp://example.com/'], ['']])('because its address is "%s"', async (url) => {
    expect(await failureOf(connect({ url }))).toMatchObject({ code: 'INVALID_ADDRESS' });
  });
});
