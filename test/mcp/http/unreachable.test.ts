import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { connect } from '../../../src/mcp/index.js';
import { freePort } from '../../../test-support/free-port.js';
import { failureOf } from '../calling.js';
import { closeAfterEach, given, listening } from '../serving.js';

closeAfterEach();

describe('a server that cannot be reached', () => {
  test('because nothing listens there', async () => {
    expect(await failureOf(connect({ url: `http://127.0.0.1:${await freePort()}/mcp` }))).toMatchObject({
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

  test('because it accepts connections and says nothing', async () => {
    const url = `http://127.0.0.1:${await listening(createServer(() => {}))}/mcp`;
    expect(await failureOf(connect({ url }, { idleTimeoutMs: 300 }))).toMatchObject({ code: 'TIMEOUT' });
  });
});
