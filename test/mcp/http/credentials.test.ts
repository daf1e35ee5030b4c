import '@modelcontextprotocol/client'; // loading takes a while, which must not count as a test's time
import { describe, expect, test } from 'vitest';
import { clientCredentials, connect } from '../../../src/mcp/index.js';
import type { Exchange } from '../../../test-support/servers/http.js';
import { failureOf } from '../calling.js';
import { closeAfterEach, given } from '../serving.js';

closeAfterEach();

describe('credentials', () => {
  const needsToken = (valid: () => string) => (exchange: Exchange) =>
    exchange.headers.authorization === `Bearer ${valid()}`
      ? exchange.plain()
      : exchange.status(401, '', { 'www-authenticate': 'Bearer' });

  test('Rejected credentials give an error that says so, and are not sent again', async () => {
    const server = await given(needsToken(() => 'right-token'));
    const error = await failureOf(connect({ url: server.url, headers: { Authorization: 'Bearer wrong-token-value' } }));
    expect(error).toMatchObject({ code: 'AUTHORIZATION_REQUIRED', status: 401 });
    expect(error.message).toContain('requires authorization (HTTP 401)');
    expect(server.methods()).toEqual(['initialize']);
  });

  test('Insufficient credentials give another error', async () => {
    const server = await given(({ status }) => status(403, 'Access is only allowed at localhost, not with pass-1'));
    const error = await failureOf(connect({ url: server.url, headers: { Authorization: 'Bearer pass-1' } }));
    expect(error).toMatchObject({ code: 'FORBIDDEN', status: 403 });
    // The credential is hidden in the message, and something else may be wrong.
    expect(error.message).toContain(
      '(HTTP 403) to the attempt to connect: Access is only allowed at localhost, not with',
    );
    expect(error.message).not.toContain('pass-1');
  });

  test('Credentials never get into an error, even if the server repeats them', async () => {
    const server = await given(({ headers, path, status }) => {
      const message = `bad ${headers.authorization} and ${headers['x-token'] as string} on ${path}`;
      status(500, JSON.stringify({ error: { message } }));
    });
    const url = `${server.url.replace('http://', 'http://user:pass-word-1@')}?api_key=key-in-query`;
    const error = await failureOf(connect({ url, headers: { 'X-Token': 'header-token' } }));
    expect(error).toMatchObject({ code: 'HTTP_STATUS', status: 500, message: expect.stringContaining('[hidden]') });
    expect(`${JSON.stringify(error)}${error.message}${error.stack}`).not.toMatch(
      /header-token|key-in-query|pass-word-1|dXNlcjpwYXNzLXdvcmQtMQ/,
    );
  });

  test.each<[string, (exchange: Exchange) => unknown]>([
    ['an error', ({ status }) => status(500)],
    ['a refusal', ({ status }) => status(401)],
    ['nothing', () => undefined],
    ['a socket that is closed', ({ response }) => response.destroy()],
  ])('Credentials in the path of the URL do not get into the error for %s', async (_, answer) => {
    const server = await given(answer);
    const token = 'sk-0123456789abcdef0123456789abcdef';
    const error = await failureOf(connect({ url: `${server.origin}/${token}/mcp` }, { idleTimeoutMs: 500 }));
    expect(`${error.message}${error.title}${error.stack ?? ''}`).not.toContain(token);
    expect(error.message).toContain(server.origin);
  });

  test('Credentials do not go to the authorization server that the server names', async () => {
    const foreign = await given(({ status }) => status(404));
    const server = await given(({ path, json, status }, { origin, url }) => {
      const challenge = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
      if (path.includes('oauth-protected-resource')) json({ resource: url, authorization_servers: [foreign.origin] });
      else status(401, '', { 'www-authenticate': challenge });
    });
    const authProvider = clientCredentials({ clientId: 'robot', secret: 'robot-secret', issuer: server.origin });
    await failureOf(connect({ url: server.url, headers: { 'X-Api-Key': 'for the server alone' }, authProvider }));
    expect(server.seen.every(({ headers }) => headers['x-api-key'] === 'for the server alone')).toBe(true);
    expect(foreign.seen.length).toBeGreaterThan(0);
    expect(foreign.seen.some(({ headers }) => 'x-api-key' in headers || 'authorization' in headers)).toBe(false);
  });
});

test('A redirect to another origin is refused, and nothing is sent there', async () => {
  const other = await given(({ plain }) => plain());
  const server = await given(({ status }) => status(307, '', { location: `${other.url}?token=secret-of-server` }));
  const error = await failureOf(connect({ url: server.url, headers: { Authorization: 'Bearer abcdefgh' } }));
  expect(error).toMatchObject({ code: 'HTTP_STATUS', status: 307, hint: expect.stringContaining('another origin') });
  expect(error.message).toContain(other.url);
  expect(error.message).not.toContain('secret-of-server');
  expect(other.seen).toEqual([]);
});
