import { getEventListeners } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createNetServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, createBrotliCompress, createGzip, gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import type { HttpRequest } from '../../../src/mcp/http-client/http-client.js';
import { nodeHttpClient } from '../../../src/mcp/http-client/node-http-client.js';
import { selfSigned } from '../../../test-support/servers/certificate.js';
import { settled, until } from '../../../test-support/waiting.js';
import { closeAfterEach, listening } from '../serving.js';
import { passOn } from './tunnel.js';

closeAfterEach();

const served = (handle: RequestListener, host?: string) => listening(createServer(handle), host);

const asked = (url: string, request: Partial<HttpRequest> = {}) =>
  nodeHttpClient({ url: new URL(url), method: 'POST', headers: {}, signal: new AbortController().signal, ...request });

const read = async (url: string, request?: Partial<HttpRequest>) => (await asked(url, request)).text(1_000_000);

describe('A request', () => {
  test('A request is sent as it is, with its length', async () => {
    const port = await served((incoming, outgoing) => {
      const { method, url, headers } = incoming;
      void text(incoming).then((body) => outgoing.end(JSON.stringify({ method, url, headers, body })));
    });
    const usual = { host: `127.0.0.1:${port}`, connection: 'keep-alive', 'accept-encoding': 'gzip' };
    const short = 'é'.repeat(65_535);
    // Chunks would end between the halves of surrogate pairs.
    const long = `x${'😀'.repeat(70_000)}`;
    for (const body of ['', 'a', short, `${short}é`, long]) {
      const sent = await read(`http://127.0.0.1:${port}/a/b?c=d`, { headers: { 'x-a': 'b' }, body });
      const length = String(Buffer.byteLength(body));
      const headers = { ...usual, 'x-a': 'b', 'content-length': length };
      expect(JSON.parse(sent)).toEqual({ method: 'POST', url: '/a/b?c=d', headers, body });
    }
    const empty = await read(`http://127.0.0.1:${port}`, { method: 'GET', headers: { 'accept-encoding': 'br' } });
    const headers = { ...usual, 'accept-encoding': 'br' };
    expect(JSON.parse(empty)).toEqual({ method: 'GET', url: '/', headers, body: '' });
  });

  test.each(['GET', 'POST'] as const)('A request has one Host header, its own or the given one: %s', async (method) => {
    const port = await served(({ rawHeaders }, outgoing) => {
      outgoing.end(JSON.stringify(rawHeaders.filter((_, index) => /^host$/i.test(rawHeaders[index - 1] ?? ''))));
    });
    const hosts = async (headers: Record<string, string>) => {
      const request = { method, headers, ...(method === 'POST' && { body: '{}' }) };
      return JSON.parse(await read(`http://127.0.0.1:${port}/`, request)) as string[];
    };
    expect(await hosts({})).toEqual([`127.0.0.1:${port}`]);
    expect(await hosts({ host: 'another.example' })).toEqual(['another.example']);
  });

  test('The rest of a request is not sent once it is answered', async () => {
    const body = 'x'.repeat(20_000_000);
    let received = 0;
    const server = createNetServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        socket.pause();
        socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 3\r\n\r\nno!');
      });
      socket.on('data', (chunk) => (received += chunk.length));
      sockets.push(socket);
    });
    const sockets: Socket[] = [];
    const response = await asked(`http://127.0.0.1:${await listening(server)}/`, { body });
    expect(await response.text(10)).toBe('no!');
    sockets[0]!.resume();
    await until(() => sockets[0]!.closed);
    expect(received).toBeLessThan(body.length);
  });

  test('A request that is answered with another protocol fails', async () => {
    const port = await served((incoming) =>
      incoming.socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
    );
    await expect(asked(`http://127.0.0.1:${port}/`)).rejects.toThrow('it switched to another protocol (HTTP 101)');
  });

  test('A request goes to addresses of IPv6', async () => {
    const port = await served((_, outgoing) => outgoing.end('v6'), '::1');
    expect(await read(`http://[::1]:${port}/`)).toBe('v6');
  });

  test('A request that is cancelled already is not sent', async () => {
    const handle = vi.fn();
    const port = await served(handle);
    await expect(asked(`http://127.0.0.1:${port}/`, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
    await settled();
    expect(handle).not.toHaveBeenCalled();
  });

  test('A request ends when it is cancelled, and leaves no listener once it is answered', async () => {
    const ends: string[] = [];
    const port = await served((incoming, outgoing) => {
      if (incoming.url === '/answered') outgoing.end('a');
      else incoming.socket.on('close', () => ends.push('closed'));
    });
    const controller = new AbortController();
    const { signal } = controller;
    expect(await read(`http://127.0.0.1:${port}/answered`, { signal })).toBe('a');
    await until(() => getEventListeners(signal, 'abort').length === 0);
    const request = asked(`http://127.0.0.1:${port}/`, { signal });
    await settled();
    controller.abort();
    await expect(request).rejects.toThrow('socket hang up');
    await until(() => ends.length > 0);
  });
});

describe('A response', () => {
  const answering = async (handle: (outgoing: ServerResponse, incoming: IncomingMessage) => unknown) =>
    asked(`http://127.0.0.1:${await served((incoming, outgoing) => void handle(outgoing, incoming))}/`);

  test('A response has its status and its headers, with repeated ones joined', async () => {
    const headers = ['www-authenticate', 'a', 'set-cookie', 'a=1', 'set-cookie', 'b=2'];
    const response = await answering((outgoing) => outgoing.writeHead(404, headers).end());
    expect(response.status).toBe(404);
    const read = ['www-authenticate', 'set-cookie', 'x-none'].map((name) => response.header(name));
    expect(read).toEqual(['a', 'a=1, b=2', undefined]);
    expect(await response.text(0)).toBe('');
  });

  const letters = 'é'.repeat(50);
  const packed = (times: number, text: string) =>
    Array(times)
      .fill(0)
      .reduce<Buffer>((body) => gzipSync(body), Buffer.from(text));
  test.each<[string, Buffer]>([
    ['gzip', gzipSync(letters)],
    ['x-gzip', gzipSync(letters)],
    [' GZip ', gzipSync(letters)],
    ['br, gzip', gzipSync(brotliCompressSync(letters))],
    ['gzip, identity,, gzip', gzipSync(gzipSync(letters))],
    ['gzip,gzip,gzip,gzip,gzip', packed(5, letters)],
    ['br', brotliCompressSync(letters)],
    ['identity', Buffer.from(letters)],
  ])('A response is decompressed from %s, and its size limit counts decompressed bytes', async (encoding, body) => {
    const encoded = () =>
      answering((outgoing) => {
        outgoing.writeHead(200, { 'content-encoding': encoding, 'content-length': body.length });
        // In several chunks, as from a network.
        for (const byte of body) outgoing.write(Buffer.from([byte]));
        outgoing.end();
      });
    expect(await (await encoded()).text(100)).toBe(letters);
    await expect((await encoded()).text(99)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  });

  test.each(['compress', 'gzip, compress', 'gzip,gzip,gzip,gzip,gzip,gzip'])(
    'A response in another encoding, or too many, is left as it is: %s',
    async (encoding) => {
      const body = packed(6, letters);
      const response = await answering((outgoing) =>
        outgoing.writeHead(200, { 'content-encoding': encoding }).end(body),
      );
      const chunks: Uint8Array[] = [];
      for await (const chunk of response.chunks()) chunks.push(chunk);
      expect(Buffer.concat(chunks)).toEqual(body);
    },
  );

  test.each(['gzip', 'x-gzip', 'br'])('A response that is packed by %s is read as it comes', async (encoding) => {
    const pack = encoding === 'br' ? createBrotliCompress() : createGzip();
    const response = await answering((outgoing) => {
      outgoing.writeHead(200, { 'content-encoding': encoding });
      pack.pipe(outgoing);
      pack.write('early');
      pack.flush();
    });
    for await (const chunk of response.chunks()) {
      expect(Buffer.from(chunk).toString()).toBe('early');
      break;
    }
  });

  test.each([
    ['plain', {}, Buffer.from('a'.repeat(100))],
    ['packed', { 'content-encoding': 'gzip' }, gzipSync('a'.repeat(100)).subarray(0, 15)],
  ])('A response that breaks off is an error: %s', async (_, headers, beginning) => {
    const response = await answering((outgoing) => {
      outgoing.writeHead(200, headers).write(beginning);
      setTimeout(() => outgoing.destroy(), 20);
    });
    await expect(response.text(1000)).rejects.toThrow(/aborted|reset|closed|unexpected end/i);
  });

  test.each([
    ['gzip', gzipSync(letters).subarray(0, -8)],
    ['br', brotliCompressSync(letters).subarray(0, -1)],
  ])('A response whose packing has no end has what came before: %s', async (encoding, body) => {
    const response = await answering((outgoing) =>
      outgoing.writeHead(200, { 'content-encoding': encoding, 'content-length': body.length }).end(body),
    );
    expect(letters.startsWith(await response.text(1000))).toBe(true);
  });

  test.each([
    ['plain', {}, Buffer.from('a'.repeat(100))],
    ['packed', { 'content-encoding': 'gzip' }, gzipSync('a'.repeat(100))],
  ])('A response that is %s ends if nobody reads it', async (_, headers, beginning) => {
    let closed = 0;
    const handle = (outgoing: ServerResponse) => {
      outgoing.writeHead(200, headers).write(beginning);
      outgoing.on('close', () => closed++);
    };
    for await (const chunk of (await answering(handle)).chunks()) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    await until(() => closed === 1);
    const cancelled = await answering(handle);
    const reading = expect(cancelled.text(1000)).rejects.toThrow('given up');
    cancelled.cancel();
    await until(() => closed === 2);
    await reading;
    // Reading later is rejected, too.
    await expect(cancelled.text(1000)).rejects.toThrow('given up');
  });
});

describe('A request over TLS', () => {
  async function secure() {
    const certificate = selfSigned('localhost');
    const sockets = new Set<number | undefined>();
    const server = createTlsServer(certificate, (incoming, outgoing) => {
      sockets.add(incoming.socket.remotePort);
      outgoing.end(String(incoming.headers['accept-encoding']));
    });
    // The test made this certificate itself.
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    return { port: await listening(server), sockets };
  }

  test('A request over TLS keeps its socket for the next request, like one without TLS', async () => {
    const { port, sockets } = await secure();
    for (let i = 0; i < 2; i++) expect(await read(`https://127.0.0.1:${port}/`)).toBe('gzip, br');
    expect(sockets.size).toBe(1);
    const plain = await served(({ socket }, outgoing) => outgoing.end(String(socket.remotePort)));
    expect(await read(`http://127.0.0.1:${plain}/`)).toBe(await read(`http://127.0.0.1:${plain}/`));
  });

  test.each(['', 'HTTPS_PROXY'])(
    'A request over TLS that is cancelled once it has a socket is not sent (%s)',
    async (proxy) => {
      const abort = new AbortController();
      let ended = false;
      const handle = vi.fn();
      const server = createTlsServer(selfSigned('localhost'), handle);
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
      const late = createNetServer((socket) => {
        abort.abort();
        socket.on('close', () => (ended = true));
        server.emit('connection', socket);
      });
      const port = await listening(late);
      const tunnel = createServer().on('connect', (_, socket) => passOn(socket, port));
      if (proxy !== '') vi.stubEnv(proxy, `http://127.0.0.1:${await listening(tunnel)}`);
      const place = proxy === '' ? `127.0.0.1:${port}` : 'late.example';
      await expect(asked(`https://${place}/`, { body: '{}', signal: abort.signal })).rejects.toThrow('socket hang up');
      await until(() => ended);
      expect(handle).not.toHaveBeenCalled();
    },
  );

  test('A request over TLS goes through one tunnel for each proxy and its credentials', async () => {
    const { port } = await secure();
    const tunnels: string[] = [];
    const proxy = createServer();
    proxy.on('connect', ({ url = '', headers }, socket) => {
      tunnels.push(`${url} ${headers['proxy-authorization'] ?? 'none'}`);
      passOn(socket, port);
    });
    const proxyPort = await listening(proxy);
    const through = async (credentials: string) => {
      vi.stubEnv('HTTPS_PROXY', `http://${credentials}127.0.0.1:${proxyPort}`);
      expect(await read('https://secure.example/')).toBe('gzip, br');
      return tunnels.length;
    };
    expect([await through(''), await through('')]).toEqual([1, 1]);
    expect([await through('me:a@'), await through('me:a@'), await through('me:b@')]).toEqual([2, 2, 3]);
    const basic = (pair: string) => `secure.example:443 Basic ${Buffer.from(pair).toString('base64')}`;
    expect(tunnels).toEqual(['secure.example:443 none', basic('me:a'), basic('me:b')]);
  });

  test.each(['http', 'https'])(
    'A request for %s goes to a proxy over TLS too, whose certificate is its own',
    async (to) => {
      const certificate = selfSigned('localhost');
      const { port } = await secure();
      const seen: (string | undefined)[] = [];
      const note = ({ method, url, headers }: IncomingMessage) =>
        void seen.push(`${method} ${url}`, headers.host, headers['proxy-authorization']);
      const names: unknown[] = [];
      const proxy = createTlsServer(certificate, (incoming, outgoing) => {
        note(incoming);
        outgoing.end('through');
      })
        .on('secureConnection', ({ servername }) => names.push(servername))
        .on('connect', (incoming, socket) => {
          note(incoming);
          passOn(socket, port);
        });
      vi.stubEnv('ALL_PROXY', `https://me:a@localhost:${await listening(proxy)}`);
      const [line, host, answer] =
        to === 'http'
          ? ['POST http://secure.example/a', 'secure.example', 'through']
          : ['CONNECT secure.example:443', 'secure.example:443', 'gzip, br'];
      expect(await read(`${to}://secure.example/a`, { body: '{}' })).toBe(answer);
      expect(seen).toEqual([line, host, `Basic ${Buffer.from('me:a').toString('base64')}`]);
      expect(names).toEqual(['localhost']);
    },
  );
});
