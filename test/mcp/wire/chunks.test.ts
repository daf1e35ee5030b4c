import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { Chunks } from '../../../src/mcp/wire/chunks.js';
import { readEvents } from '../../../src/mcp/http/event-stream.js';
import { textOf } from '../../../src/mcp/http-client/http-client.js';
import { nodeHttpClient } from '../../../src/mcp/http-client/node-http-client.js';
import { lineSplitter } from '../../../src/mcp/stdio/output.js';

afterEach(() => {
  vi.restoreAllMocks();
});

/*
 * A server that sends single bytes, as chunks of HTTP: 50 MB of these would be 5 GB of objects. What is kept at once is seen by
 * what is put together.
 */
const count = 100_000;
const text = 'a€'.repeat(count / 4);
const bytes = Buffer.from(text);

function* singleBytes(): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at++) yield bytes.subarray(at, at + 1);
}

async function* asChunks(end = ''): AsyncGenerator<Uint8Array> {
  yield* singleBytes();
  yield await Promise.resolve(Buffer.from(end));
}

async function* afterName(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from('data:');
  yield* chunks;
}

async function readBy(read: () => string | Promise<string>): Promise<number> {
  const concat = vi.spyOn(Buffer, 'concat');
  expect(await read()).toBe(text);
  return Math.max(...concat.mock.calls.map(([pieces]) => pieces.length));
}

test.each<[string, () => string | Promise<string>]>([
  [
    'Chunks',
    () => {
      const pieces = new Chunks();
      for (const byte of singleBytes()) pieces.push(byte);
      expect(pieces.length).toBe(count);
      return pieces.takeText();
    },
  ],
  ['a body', () => textOf(asChunks(), count)],
  [
    'an event',
    async () => {
      let data = '';
      const onEvent = (event: { data: string }) => (data = event.data);
      await readEvents(afterName(asChunks('\n\n')), { maxBytes: 2 * count, onEvent });
      return data;
    },
  ],
  [
    'a line of stdio',
    () => {
      let line = '';
      const splitter = lineSplitter(count, (found) => (line = found), vi.fn());
      for (const byte of singleBytes()) splitter.push(byte);
      splitter.end();
      return line;
    },
  ],
  ['a body over HTTP', bodyOverHttp],
])('%s of single bytes takes little more memory than its length', async (_, read) => {
  expect(await readBy(read)).toBeLessThan(2000);
});

async function bodyOverHttp(): Promise<string> {
  const server = createServer((socket) => {
    const chunks = [...singleBytes()].flatMap((byte) => [Buffer.from('1\r\n'), byte, Buffer.from('\r\n')]);
    socket.end(Buffer.concat([head, ...chunks, Buffer.from('0\r\n\r\n')]));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo; // it listens
  const { signal } = new AbortController();
  const url = new URL(`http://127.0.0.1:${port}`);
  const response = await nodeHttpClient({ url, method: 'GET', headers: {}, signal });
  vi.mocked(Buffer.concat).mockClear();
  const read = await textOf(response.chunks(), count);
  server.close();
  return read;
}

const head = Buffer.from('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n');
