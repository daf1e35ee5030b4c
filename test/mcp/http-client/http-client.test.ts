import { expect, test, vi } from 'vitest';
import {
  beginningOf,
  fetchClient,
  type HttpClient,
  type HttpRequest,
} from '../../../src/mcp/http-client/http-client.js';
import { fetchWithin } from '../../../src/mcp/http-client/sdk-fetch.js';
import { settled } from '../../../test-support/waiting.js';
import { failureOf } from '../calling.js';

const bytes = (text: string) => new TextEncoder().encode(text);

async function answered(...chunks: Uint8Array[]) {
  const exchange = fetchClient(async () => new Response(ReadableStream.from(chunks)));
  const url = new URL('https://example.com/mcp');
  return exchange({ url, method: 'POST', headers: {}, signal: new AbortController().signal });
}

/** The text of a response with this body, of so many bytes at most. */
const textOf = async (most: number, ...chunks: Uint8Array[]) => (await answered(...chunks)).text(most);

test('The text of a message is joined from its chunks, without a byte order mark', async () => {
  const euro = bytes('€');
  const pieces = [bytes('\ufeffa'), euro.subarray(0, 1), euro.subarray(1), bytes('\ufeffb')];
  expect(await textOf(100, ...pieces)).toBe('a€\ufeffb');
  expect(await textOf(0)).toBe('');
  for (const most of [1, 5, 7, 8, 20])
    expect(await beginningOf(await answered(...['\ufeffab', 'cd', 'ef'].map(bytes)), most + 3)).toBe(
      'abcdef'.slice(0, most),
    );
});

test('The text of a message may have the maximum number of bytes, and not one more', async () => {
  expect(await textOf(6, bytes('abc'), bytes('€'))).toBe('abc€');
  const message = expect.stringContaining('more than 5 bytes') as string;
  expect(await failureOf(textOf(5, bytes('abc'), bytes('€')))).toMatchObject({ code: 'LIMIT_EXCEEDED', message });
});

test('A request to an authorization server ends with its caller, after thirty seconds, and beyond a megabyte', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const asked: HttpRequest[] = [];
  const silent: HttpClient = (request) =>
    new Promise((_, reject) => {
      asked.push(request);
      request.signal.addEventListener('abort', () => reject(new Error('ended')));
    });
  const caller = new AbortController();
  const over: string[] = [];
  const ends = (what: string, work: Promise<unknown>) =>
    failureOf(work).then(({ message }) => over.push(`${what} ${message}`));
  const near = new URL('https://auth.example/mcp');
  const cancelled = ends('cancelled', fetchWithin(silent, 'https://auth.example/a', { signal: caller.signal }, near));
  const late = ends('late', fetchWithin(silent, new URL('https://auth.example/b')));
  await settled();
  expect(asked).toMatchObject([
    { url: new URL('/a', near), namedBy: near },
    { url: new URL('/b', near), namedBy: undefined },
  ]);
  caller.abort();
  await cancelled;
  await vi.advanceTimersByTimeAsync(29_999);
  expect(over).toEqual(['cancelled ended']);
  await vi.advanceTimersByTimeAsync(1);
  await late;
  const much = (length: number) =>
    fetchWithin(
      fetchClient(async () => new Response('x'.repeat(length))),
      near,
    );
  expect(await (await much(1024 * 1024)).text()).toHaveLength(1024 * 1024);
  expect(await failureOf(much(1024 * 1024 + 1))).toMatchObject({ code: 'LIMIT_EXCEEDED' });
  expect(vi.getTimerCount()).toBe(0);
});
