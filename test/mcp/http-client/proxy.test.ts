import { readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { createServer, request } from 'node:http';
import { createServer as createNetServer } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { connect } from '../../../src/mcp/index.js';
import { proxyFor } from '../../../src/mcp/http-client/proxy.js';
import { freePort } from '../../../test-support/free-port.js';
import { selfSigned } from '../../../test-support/servers/certificate.js';
import { until } from '../../../test-support/waiting.js';
import { failureOf, toolNamed } from '../calling.js';
import { closeAfterEach, given, listening } from '../serving.js';
import { passOn } from './tunnel.js';

closeAfterEach();

/** A proxy on this machine that leads every host to the server at this port. */
async function proxyTo(port: number, refusal?: number) {
  const seen: { method: string; target: string; authorization: string | undefined }[] = [];
  const left = { count: 0 };
  const proxy = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming;
    seen.push({ method, target: url, authorization: headers['proxy-authorization'] });
    const { pathname } = new URL(url);
    const passed = { ...headers };
    delete passed['proxy-authorization'];
    const onwards = request({ host: '127.0.0.1', port, method, path: pathname, headers: passed }, (response) => {
      outgoing.writeHead(response.statusCode ?? 0, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(onwards);
  });
  proxy.on('connect', ({ url = '', headers }, socket) => {
    seen.push({ method: 'CONNECT', target: url, authorization: headers['proxy-authorization'] });
    if (refusal === undefined) passOn(socket, port);
    else socket.resume().write(`HTTP/1.1 ${refusal} No\r\n\r\n`);
    // Ended by the client.
    if (refusal !== undefined) socket.on('end', () => ((left.count += 1), socket.end()));
  });
  return { host: `127.0.0.1:${await listening(proxy)}`, seen, left };
}

/** `null`: none. */
const { proxies, bypassed } = JSON.parse(readFileSync(new URL('./tables.json', import.meta.url), 'utf8')) as {
  proxies: [url: string, environment: Record<string, string>, expected: string | null][];
  bypassed: [url: string, list: string, passedBy: boolean][];
};

const portOf = (url: string) => Number(new URL(url).port);

describe('a proxy', () => {
  test('A proxy in HTTP_PROXY gets the requests to http servers elsewhere, with its credentials', async () => {
    const server = await given(({ plain }) => plain());
    const proxy = await proxyTo(portOf(server.url));
    vi.stubEnv('HTTP_PROXY', `http://us%C3%A9r:pass@${proxy.host}`);
    await using session = await connect({
      url: 'http://mcp.example/mcp?a=b',
      headers: { 'X-Key': 'k', host: 'evil.example' },
    });
    await session.callTool(toolNamed('echo'), {});
    expect(proxy.seen.length).toBe(server.seen.length);
    const authorization = `Basic ${Buffer.from('usér:pass').toString('base64')}`;
    const seen = { method: 'POST', target: 'http://mcp.example/mcp?a=b', authorization };
    expect(proxy.seen).toEqual(server.seen.map(() => seen));
    expect(server.seen[0]?.headers).toEqual({
      ...{ host: 'mcp.example', connection: 'keep-alive', 'content-length': String(server.seen[0]?.text.length) },
      ...{ 'accept-encoding': 'gzip', 'content-type': 'application/json', 'x-key': 'k' },
      accept: 'application/json, text/event-stream',
    });
  });

  test('A proxy that rejects a request gives an error that says so', async () => {
    const proxy = await proxyTo(1, 407);
    vi.stubEnv('HTTPS_PROXY', `http://${proxy.host}`);
    expect(await failureOf(connect({ url: 'https://mcp.example/mcp' }))).toMatchObject({
      code: 'CONNECTION_FAILED',
      message: `https://mcp.example/mcp cannot be reached through the proxy ${proxy.host}: it answered HTTP 407.`,
      hint: expect.stringContaining('http://user:password@proxy'),
    });
    await until(() => proxy.left.count === 1);
  });

  test.each([
    ['https://mcp.example/mcp', 'mcp.example:443'],
    ['https://mcp.example:8443/mcp', 'mcp.example:8443'],
    ['https://[fd00::1]/mcp', '[fd00::1]:443'],
  ])('A proxy is asked for a tunnel for %s to %s', async (url, target) => {
    const proxy = await proxyTo(1, 403);
    vi.stubEnv('HTTPS_PROXY', `http://${proxy.host}`);
    await failureOf(connect({ url }));
    expect(proxy.seen[0]).toMatchObject({ method: 'CONNECT', target, authorization: undefined });
  });

  test('A connection to a silent proxy ends with the request', async () => {
    const closed = vi.fn();
    const caller = new AbortController();
    const silent = createNetServer((socket) => {
      socket.resume().once('close', closed);
      caller.abort();
    });
    vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${await listening(silent)}`);
    const error = await failureOf(connect({ url: 'https://mcp.example/mcp' }, { signal: caller.signal }));
    expect(error).toMatchObject({ code: 'CANCELLED' });
    await until(() => closed.mock.calls.length > 0);
  });

  test("A proxy is not asked if the caller's own fetch is used", async () => {
    const server = await given(({ plain }) => plain());
    vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:1');
    const own: typeof fetch = (_, init) => fetch(server.url, init);
    await using session = await connect({ url: 'http://mcp.example/mcp', fetch: own });
    expect(session.transport).toBe('http');
  });

  test.each(proxies)('The proxy for %s with %j is %s', (url, environment, expected) => {
    const proxy = proxyFor(new URL(url), environment);
    expect(proxy?.url.href ?? null).toBe(expected);
    expect(proxy?.authorization).toBeUndefined();
  });

  test.each(bypassed)('A proxy is bypassed for %s with NO_PROXY=%s: %j', (url, list, passedBy) => {
    const proxy = proxyFor(new URL(url), { HTTP_PROXY: 'p:1', HTTPS_PROXY: 'p:1', NO_PROXY: list });
    expect(proxy === undefined).toBe(passedBy);
  });

  const only = 'but only http and https proxies are supported';
  test.each<[string, Record<string, string>, string]>([
    [
      'http://a.example/',
      { ALL_PROXY: 'socks5://me:s3cr3t@p:1' },
      `ALL_PROXY names socks5://p:1, ${only}, not SOCKS. Name an HTTP proxy, or put a.example into NO_PROXY`,
    ],
    ['https://a.example/', { https_proxy: 'ftp://p' }, `https_proxy names ftp://p, ${only}`],
    ['https://a.example/', { HTTPS_PROXY: 'me:s3cr3t@p q' }, 'HTTPS_PROXY is not the URL of a proxy'],
  ])(
    'A proxy for %s with %j is refused, and the error has its name and kind without its password',
    (url, environment, message) => {
      expect(() => proxyFor(new URL(url), environment)).toThrow(message);
    },
  );

  test('A proxy may have a percent sign in its password', () => {
    const proxy = proxyFor(new URL('http://a.example/'), { HTTP_PROXY: 'http://me:50%%3A%c3%a9@p:1' });
    expect(Buffer.from(proxy?.authorization?.slice(6) ?? '', 'base64').toString()).toBe('me:50%:é');
  });

  test.each(['HTTP_PROXY', 'HTTPS_PROXY'])('The error names a proxy that does not exist: %s', async (name) => {
    const port = await freePort();
    vi.stubEnv(name, `http://127.0.0.1:${port}`);
    const url = `${name === 'HTTP_PROXY' ? 'http' : 'https'}://mcp.example/mcp`;
    const { code, message, hint } = await failureOf(connect({ url }));
    expect(code).toBe('CONNECTION_FAILED');
    expect(message).toContain(`through the proxy 127.0.0.1:${port}: nothing listens there (ECONNREFUSED)`);
    expect(hint).toContain('NO_PROXY');
  });

  test.each(['http', 'https'])('A proxy whose certificate is not trusted is named, for %s', async (to) => {
    const proxy = createTlsServer(selfSigned('localhost'));
    const port = await listening(proxy);
    vi.stubEnv('ALL_PROXY', `https://localhost:${port}`);
    const { message } = await failureOf(connect({ url: `${to}://mcp.example/mcp` }));
    expect(message).toBe(
      `${to}://mcp.example/mcp cannot be reached through the proxy localhost:${port}: its TLS certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT).`,
    );
  });

  test('A proxy that wants credentials for http gives an error that says where they go', async () => {
    vi.stubEnv('HTTP_PROXY', (await given(({ status }) => status(407))).origin);
    expect(await failureOf(connect({ url: 'http://mcp.example/mcp' }))).toMatchObject({
      status: 407,
      hint: expect.stringContaining('http://user:password@proxy'),
    });
  });
});
