import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import type { ClientRequest, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import zlib, { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startObserving } from '../../test-support/observed.js';
import { until } from '../../test-support/waiting.js';
import { serverForAll } from '../langchain/server.js';
import { findPersons, tool } from '../langchain/tools.js';

const key = 'sk-proj-Zk3v9Qm2Xt7LwB4nR8cJ1yHd5GfPaS6u';
const closing: (() => unknown)[] = [];
const inputSchema = { type: 'object', properties: { n: { type: 'integer' }, of: { $ref: '#/$defs/gone' } } };

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const server = serverForAll([{ definition: findPersons }, tool('delete'), tool('search/people', { inputSchema })]);

/** The command in front of a provider with this answer. */
async function observing(answer: RequestListener, { path = '', argv = [] as string[], columns = 0 } = {}) {
  const provider = createServer({ keepAliveTimeout: 0, maxHeaderSize: 512 * 1024 }, answer);
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const { port } = provider.address() as AddressInfo; // it listens on a port
  const upstream = argv.includes('--play') ? [] : ['--upstream', `http://127.0.0.1:${port}${path}`];
  const observed = await startObserving([...upstream, '--url', server.url, ...argv], columns || undefined);
  const stopProvider = () => {
    provider.closeAllConnections();
    provider.close();
  };
  closing.push(stopProvider, observed.stop);
  return { ...observed, port, stopProvider };
}

/** The provider reads the request before it answers. */
const patient =
  (answer: (outgoing: ServerResponse) => unknown): RequestListener =>
  (incoming, outgoing) =>
    void incoming.resume().on('end', () => answer(outgoing));

async function begun(sent: ClientRequest): Promise<IncomingMessage> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage]; // the event's type says so
  return response;
}

interface SendOptions {
  body?: string | Buffer;
  headers?: Record<string, string>;
  method?: string;
}

/** Sends a request over its own connection. */
async function send(url: string, { body = '', headers = {}, method = 'POST' }: SendOptions = {}) {
  const response = await begun(request(url, { method, headers, agent: false }).end(body));
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

const schema = findPersons.inputSchema;
const chatBody = JSON.stringify({
  model: 'm',
  stream: true,
  messages: [{ role: 'user', content: 'Find them.' }],
  tools: [{ type: 'function', function: { name: 'find_relatives', description: 'x', parameters: schema } }],
});

/** A chat model's call in a stream, with the arguments in pieces. */
function streamed(args: string, name = 'find_relatives'): string[] {
  const delta = (tool: object) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...tool }] } }] })}\n\n`;
  const half = args.length >> 1;
  return [
    delta({ id: 'call_1', function: { name, arguments: '' } }),
    delta({ function: { arguments: args.slice(0, half) } }),
    ': a comment, as some servers send to keep a connection\n\n',
    delta({ function: { arguments: args.slice(half) } }),
    'data: [DONE]\n\n',
  ];
}

interface Body {
  /** Its text, its lines, or JSON. */
  body?: string | string[] | object;
  pack?: keyof typeof packers;
  headers?: string[];
}

interface Exchange {
  about: string;
  argv?: string[];
  /** The width of a terminal with colours, if there is one. */
  columns?: number;
  /** A part of the provider's address. */
  path?: string;
  messages: (Body & {
    method?: string;
    path: string;
    host?: string;
    answer?: Body & { status?: number; message?: string };
    /** How many lines are printed then, to each output. */
    lines?: [out: number, err: number];
  })[];
  expected: object;
}

const packers = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };

function bytesOf({ body = '', pack }: Body): Buffer {
  const whole = typeof body === 'string' ? body : Array.isArray(body) ? body.join('\n') : JSON.stringify(body);
  return pack ? packers[pack](whole) : Buffer.from(whole);
}

/** Requests of frameworks and the answers of providers, what both get, and what is printed. */
const exchanges = JSON.parse(readFileSync(new URL('./exchanges.json', import.meta.url), 'utf8')) as Exchange[];

test.each(exchanges)('Messages pass, and are reported, as reviewed: $about', async ({ expected, ...given }) => {
  const { messages } = given;
  const passed: unknown[] = [];
  let at = 0;
  const observed = await observing((incoming, outgoing) => {
    void buffer(incoming).then((body) => {
      const { answer: { status = 200, message = 'Fine', headers = [], ...answer } = {}, ...sent } = messages[at]!;
      const isWhole = body.equals(bytesOf(sent)) ? 'whole' : body.toString();
      passed.push([incoming.method, incoming.url, ...incoming.rawHeaders, isWhole]);
      outgoing.sendDate = false;
      outgoing.writeHead(status, message, headers).end(bytesOf(answer));
    });
  }, given);
  for (const sent of messages) {
    const { method = 'POST', path, host = 'localhost:1', headers = [], answer = {}, lines = [0, 0] } = sent;
    const asked = request(observed.origin, { method, path, headers: ['Host', host, ...headers], agent: false });
    const response = await begun(asked.end(bytesOf(sent)));
    const body = await buffer(response);
    const isWhole = body.equals(bytesOf(answer)) ? 'whole' : body.toString().split('\n');
    passed.push([response.statusCode, response.statusMessage, ...response.rawHeaders, isWhole].flat());
    at++;
    const isPrinted = () => linesOf(observed.written).every((each, index) => each.length >= lines[index]!);
    let tries = 3_000; // an output that lacks lines is compared below
    await until(() => isPrinted() || --tries < 0);
  }
  const ended = await observed.stop();
  const [out, err] = linesOf(ended);
  const shown = { passed, code: ended.code, out, err };
  const names = { [observed.origin]: 'ORIGIN', [`127.0.0.1:${observed.port}`]: 'PROVIDER' };
  const named = Object.entries(names).reduce((all, [own, name]) => all.replaceAll(own, name), JSON.stringify(shown));
  const known = named.replaceAll(/played_\d+/g, 'played_N').replaceAll(/\w{3}, \d\d \w{3} [^"]* GMT/g, 'DATE');
  expect(JSON.parse(known)).toEqual(expected);
});

const linesOf = ({ stdout, stderr }: { stdout: string; stderr: string }) =>
  [stdout, stderr].map((text) => text.split('\n'));

describe('messages through observe', () => {
  test('A stream arrives byte for byte without delay, and its call is judged', async () => {
    const parts = streamed('{"queries":[{"group":"123e4567-e89b-12d3-a456-426614174000"}],"limit":"5"}');
    const sent: ServerResponse[] = [];
    const begins = patient((outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      sent.push(outgoing);
    });
    const observed = await observing(begins);
    const outgoing = request(`${observed.url}/v1/chat/completions`, { method: 'POST', agent: false }).end(chatBody);
    const response = await begun(outgoing); // the provider has sent no body yet
    sent[0]?.write(parts[0]);
    const [first] = (await once(response, 'data')) as [Buffer]; // the provider has not sent more yet
    expect(first.toString()).toBe(parts[0]);
    for (const part of parts.slice(1)) sent[0]?.write(part);
    sent[0]?.end();
    expect(first.toString() + (await text(response))).toBe(parts.join(''));
    const { stdout } = await observed.stop();
    expect(stdout).toContain('A call of find_relatives: malformed, would be repaired: /limit: "5" → 5.');
    expect(stdout).toContain("Of 1 call, 1 violated the tool's schema; 1 would have been repaired.");
  });

  test('Headers of 200 KB and outside ASCII pass both ways, to the byte', async () => {
    const long = 'x'.repeat(200_000);
    const got: Record<string, string>[] = [];
    const observed = await observing((incoming, outgoing) => {
      const { 'x-long': longer = '', 'x-name': name = '' } = incoming.headers;
      got.push({ long: String(longer), name: String(name) });
      const headers = { 'x-name': 'caf\u00e9', 'x-long': long };
      incoming.resume().on('end', () => outgoing.writeHead(200, headers).end(Buffer.from('{}')));
    });
    const sent = request(`${observed.url}/chat/completions`, {
      ...{ method: 'POST', agent: false, maxHeaderSize: 256 * 1024 },
      headers: { 'x-name': 'caf\u00e9', 'x-long': long },
    }).end(Buffer.from(chatBody)); // Node would write the headers of a string in UTF-8
    const response = await begun(sent);
    expect([response.headers['x-name'], response.headers['x-long'] === long]).toEqual(['caf\u00e9', true]);
    expect(got.map(({ long: sent, name }) => [sent?.length, name])).toEqual([[long.length, 'caf\u00e9']]);
  });

  test('An answer in zstd passes, and is read or reported as not judged', async () => {
    // "{}" in zstd 1.5.
    const bytes = Buffer.from('28b52ffd040011 00007b7d 1d5b8b1b'.replaceAll(' ', ''), 'hex');
    const packed = { 'content-type': 'application/json', 'content-encoding': 'zstd' };
    const observed = await observing(patient((outgoing) => outgoing.writeHead(200, packed).end(bytes)));
    const answer = await send(`${observed.url}/chat/completions`, { body: chatBody });
    expect(answer.body.equals(bytes)).toBe(true);
    const { stderr } = await observed.stop();
    if (!('zstdDecompress' in zlib)) expect(stderr).toContain('is compressed in a way that is not read here');
  });

  test('An answer that decompresses to more than the limit passes, and is logged', async () => {
    const bytes = gzipSync(Buffer.alloc(33 * 1024 * 1024));
    const packed = { 'content-encoding': 'gzip' };
    const observed = await observing(patient((outgoing) => outgoing.writeHead(200, packed).end(bytes)));
    const { body } = await send(`${observed.url}/chat/completions`, { body: chatBody });
    expect(body.equals(bytes)).toBe(true);
    expect((await observed.stop()).stderr).toContain('cannot be unpacked, or only to more than is read (32 MB)');
  });

  test('An answer with very many calls passes without delay, and its first calls are judged', async () => {
    const tool_calls = Array.from({ length: 10_000 }, (_unused, index) => ({
      index,
      function: { name: 'delete', arguments: '{}' },
    }));
    const whole = JSON.stringify({ choices: [{ message: { tool_calls } }] });
    const observed = await observing(
      patient((outgoing) => outgoing.end(whole)),
      { argv: ['--json'] },
    );
    const { body } = await send(`${observed.url}/chat/completions`, { body: chatBody });
    expect(body.toString()).toBe(whole);
    expect(JSON.parse((await observed.stop()).stdout)).toMatchObject({ calls: { all: 1000, refused: 1000 } });
  });

  test('Bodies of 33 MB pass both ways without being read', async () => {
    const bytes = randomBytes(33 * 1024 * 1024);
    const observed = await observing(
      (incoming, outgoing) => void buffer(incoming).then((received) => outgoing.writeHead(200).end(received)),
    );
    const { body } = await send(`${observed.url}/chat/completions`, { body: bytes });
    expect(body.equals(bytes)).toBe(true);
    const { stderr } = await observed.stop();
    expect(stderr).toContain(
      'A request to chat is larger than is read (32 MB), so its tools are not compared, nor calls judged.',
    );
    expect(stderr).toContain('An answer to /chat/completions is larger than is read (32 MB)');
  });

  test('A client that reads slowly slows the provider down', async () => {
    const [chunk, whole] = [Buffer.alloc(1024 * 1024), 512];
    let written = 0;
    const observed = await observing((_incoming, outgoing) => {
      const write = () => {
        while (written++ < whole) if (!outgoing.write(chunk)) return void outgoing.once('drain', write);
      };
      write();
    });
    const outgoing = request(`${observed.url}/v1/models`, { agent: false }).end();
    const response = await begun(outgoing);
    response.pause();
    // The buffers of four sockets hold the bytes in flight, so the count stops long before the end.
    let before = -1;
    while (before !== written) {
      before = written;
      for (let turn = 0; turn < 2000; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(written).toBeLessThan(whole / 2);
    outgoing.destroy();
  });
});

describe('failures', () => {
  test('A stalled provider keeps its client waiting, and is disconnected when the client leaves', async () => {
    const left: string[] = [];
    const observed = await observing((incoming, outgoing) => {
      incoming.resume();
      if (incoming.method === 'GET') return outgoing.end('fine');
      outgoing.on('close', () => left.push(incoming.url ?? ''));
      if (incoming.url === '/silent/chat/completions') return;
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
      outgoing.write(streamed('{}')[0]);
    });
    const silent = request(`${observed.url}/silent/chat/completions`, { method: 'POST', agent: false }).end(chatBody);
    silent.on('error', () => {});
    const stalled = request(`${observed.url}/chat/completions`, { method: 'POST', agent: false }).end(chatBody);
    const response = await begun(stalled);
    response.on('error', () => {});
    await once(response, 'data');
    // Other requests are served meanwhile.
    expect((await send(`${observed.url}/v1/models`, { method: 'GET' })).body.toString()).toBe('fine');
    silent.destroy();
    response.destroy();
    await until(() => left.length === 2);
    const { stdout, stderr } = await observed.stop();
    expect(stderr.split('\n').slice(1)).toEqual([
      'GET /v1/models passes unread.',
      'An answer to /chat/completions broke off, so its calls are not judged.',
      '',
    ]);
    expect(stdout).not.toContain('A call of');
  });

  test('A provider that cannot be reached gives a failed connection, and is logged', async () => {
    const observed = await observing(() => {});
    observed.stopProvider();
    await expect(send(`${observed.url}/chat/completions`, { body: chatBody })).rejects.toThrow(/hang up|ECONNRESET/);
    const { stderr } = await observed.stop();
    expect(stderr).toContain(
      `127.0.0.1:${observed.port} could not be reached, or closed the connection (ECONNREFUSED).`,
    );
  });

  test('An answer that comes before the body was read arrives', async () => {
    const observed = await observing((_incoming, outgoing) =>
      outgoing.writeHead(413, { connection: 'close' }).end('too large'),
    );
    const sent = request(`${observed.url}/chat/completions`, { method: 'POST', agent: false });
    sent.on('error', () => {});
    sent.write(Buffer.alloc(1024));
    const response = await begun(sent);
    expect([response.statusCode, await text(response)]).toEqual([413, 'too large']);
    sent.destroy();
  });

  test('The addresses beside the own one are closed, and requests over one connection leave no listeners', async () => {
    const warned = vi.spyOn(process, 'emitWarning');
    const observed = await observing((_incoming, outgoing) => outgoing.end('{}'));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let count = 0; count < 12; count++) {
      const sent = request(`${observed.origin}/v1/chat/completions`, { method: 'POST', agent }).end(chatBody);
      expect(await text(await begun(sent))).toBe('{}');
    }
    agent.destroy();
    expect(warned).not.toHaveBeenCalled();
    const other = connect(Number(new URL(observed.origin).port), '127.0.0.2');
    await expect(once(other, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('A provider over https is reached through the proxy that the environment names', async () => {
    const asked: unknown[] = [];
    await using proxy = createServer();
    proxy.on('connect', (incoming, socket) => {
      asked.push(incoming.url);
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    vi.stubEnv('https_proxy', `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    const observed = await startObserving(['--upstream', 'https://provider.test/v1', '--url', server.url]);
    await expect(send(`${observed.url}/models`, { method: 'GET' })).rejects.toThrow(/hang up|ECONNRESET/);
    const { stderr } = await observed.stop();
    expect(asked).toEqual(['provider.test:443']);
    expect(stderr).toContain('provider.test could not be reached, or closed the connection');
  });

  test.each([
    ['GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n', '403'],
    ['GET /v1/models HTTP/1.0\r\n\r\n', '403'],
    ['GET // HTTP/1.1\r\nHost: localhost\r\n\r\n', '200'],
    ['CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n', undefined],
    ['OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n', '403'],
    ['\x00\x01\x02\r\n\r\n', '400'],
  ])('The request %j is answered with %s, and ends only its own connection', async (line, status) => {
    const observed = await observing((_incoming, outgoing) => outgoing.end('fine'));
    const socket = connect(Number(new URL(observed.origin).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(line);
    const [data] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as unknown[];
    expect(/^HTTP\/1\.1 (\d+)/.exec(String(data))?.[1]).toBe(status);
    socket.destroy();
    expect((await send(`${observed.origin}/v1/models`, { method: 'GET' })).body.toString()).toBe('fine');
  });
});

test('The output contains no key, body or answer', async () => {
  const answers = streamed(`{"queries":[{"group":"x"}],"token":"${key}"}`).join('');
  const answer = patient((outgoing) => outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).end(answers));
  for (const argv of [[], ['--json'], ['--diff', 'find_relatives']]) {
    const observed = await observing(answer, { argv });
    const headers = { authorization: `Bearer ${key}`, 'x-goog-api-key': key, 'api-key': key };
    const secret = chatBody.replace('Find them.', `My secret is ${key} and more.`);
    await send(`${observed.url}/chat/completions?key=${key}`, { body: secret, headers });
    await send(`${observed.url}/v1beta/models/gemini:generateContent?key=${key}`, { body: '{"tools":[]', headers });
    await send(`${observed.url}/${key}/unknown?key=${key}`, { headers });
    await send(`${observed.url}/unknown?key=${key}`, { headers: { ...headers, host: key } });
    const { stdout, stderr } = await observed.stop();
    expect(stdout + stderr).toContain('find_relatives');
    expect(stdout + stderr).not.toContain(key);
    expect(stdout + stderr).not.toContain('My secret');
  }
});
