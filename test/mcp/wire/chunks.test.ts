import { createServer, type AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { readEvents } from '../../../src/mcp/http/event-stream.js';
import { textOf } from '../../../src/mcp/http-client/http-client.js';
import { nodeHttpClient } from '../../../src/mcp/http-client/node-http-client.js';
import { Chunks, lineSplitter } from '../../../src/mcp/wire/lines.js';

// A server may send single bytes, which must not cut characters in two.
const count = 100_000;
const text = 'a€'.repeat(count / 4);
const singleBytes = [...Buffer.from(text)].map((byte) => Buffer.from([byte]));

async function* asChunks(...more: string[]): AsyncGenerator<Uint8Array> {
  yield* more.slice(1).map((each) => Buffer.from(each));
  yield* singleBytes;
  yield await Promise.resolve(Buffer.from(more[0] ?? ''));
}

test.each<[string, () => string | Promise<string>]>([
  [
    'Chunks',
    () => {
      const chunks = new Chunks();
      for (const byte of singleBytes) chunks.push(byte);
      expect([chunks.length, chunks.text()]).toEqual([count, text]);
      const whole = chunks.takeText();
      expect([chunks.length, chunks.text()]).toEqual([0, '']);
      return whole;
    },
  ],
  ['a body', () => textOf(asChunks(), count)],
  [
    'an event',
    async () => {
      const onEvent = vi.fn((_: { data: string }) => {});
      await readEvents(asChunks('\n\n', 'data:'), { maxBytes: 2 * count, onEvent });
      return onEvent.mock.calls[0]![0].data;
    },
  ],
  [
    'a line of stdio',
    () => {
      const onLine = vi.fn((_: string) => {});
      const splitter = lineSplitter(count, onLine, vi.fn());
      for (const byte of singleBytes) splitter.push(byte);
      splitter.end();
      return onLine.mock.calls[0]![0];
    },
  ],
  ['a body over HTTP', bodyOverHttp],
])('%s of single bytes is read whole', async (_, read) => {
  expect((await read()) === text).toBe(true);
});

async function bodyOverHttp(): Promise<string> {
  const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n';
  const chunks = singleBytes.flatMap((byte) => [Buffer.from('1\r\n'), byte, Buffer.from('\r\n')]);
  const server = createServer((socket) => {
    socket.end(Buffer.concat([Buffer.from(head), ...chunks, Buffer.from('0\r\n\r\n')]));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo; // it listens
  const { signal } = new AbortController();
  const url = new URL(`http://127.0.0.1:${port}`);
  const response = await nodeHttpClient({ url, method: 'GET', headers: {}, signal });
  const read = await textOf(response.chunks(), count);
  server.close();
  return read;
}
