import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { textOf } from '../../../src/mcp/http-client/http-client.js';
import { nodeHttpClient } from '../../../src/mcp/http-client/node-http-client.js';
import { readEvents } from '../../../src/mcp/http/event-stream.js';
import { lineSplitter } from '../../../src/mcp/wire/lines.js';

describe('Output is cut into lines', () => {
  function split(chunks: readonly (string | Buffer)[], maxBytes = 100, endsInReturn = false) {
    const lines: string[] = [];
    const overflow = vi.fn();
    const splitter = lineSplitter(maxBytes, (line) => lines.push(line), overflow, endsInReturn);
    for (const chunk of chunks) splitter.push(Buffer.from(chunk));
    const before = lines.length;
    splitter.end();
    return { lines, atEnd: lines.slice(before), overflows: overflow.mock.calls.length };
  }
  const euro = Buffer.from('€');

  test.each<[string, (string | Buffer)[], string[]]>([
    ['one', ['a\n'], ['a']],
    ['several in one piece', ['a\nb\n\nc\n'], ['a', 'b', '', 'c']],
    ['one in several pieces', ['a', '', 'b', 'c\nd', 'e\n'], ['abc', 'de']],
    ['characters in several pieces', ['a', euro.subarray(0, 1), euro.subarray(1), '\n'], ['a€']],
    ['line ends of Windows', ['a\r\nb\r', '\n'], ['a', 'b']],
    ['a last one without its end', ['a\nb'], ['a', 'b']],
    ['nothing', [''], []],
  ])('%s', (_, chunks, lines) => {
    expect(split(chunks)).toMatchObject({ lines, overflows: 0 });
  });

  test('and at a carriage return alone only where that is asked for: within JSON it is a space', () => {
    const chunks = ['{"a":\r1,\r', '"b":2}\r\r\n', '\nc\r'];
    expect(split(chunks).lines).toEqual(['{"a":\r1,\r"b":2}\r', '', 'c']);
    expect(split(chunks, 100, true).lines).toEqual(['{"a":', '1,', '"b":2}', '', '', 'c']);
  });

  test('the last of which comes at the end', () => {
    expect(split(['a\nb']).atEnd).toEqual(['b']);
    expect(split(['a\n']).atEnd).toEqual([]);
  });

  test('of so many bytes, and not one more; then nothing is taken any more', () => {
    expect(split(['ab€\n', '12345', '\n'], 5)).toMatchObject({ lines: ['ab€', '12345'], overflows: 0 });
    for (const chunks of [
      ['a\nab€c\nb\n', 'c\n', 'd'],
      ['a\n', 'ab€', 'c', 'c', '\n', 'd\n'],
    ])
      expect(split(chunks, 5)).toEqual({ lines: ['a'], atEnd: [], overflows: 1 });
  });
});

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
