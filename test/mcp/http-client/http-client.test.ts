import { describe, expect, test, vi } from 'vitest';
import { beginningOf, fetchClient, type HttpResponse } from '../../../src/mcp/http-client/http-client.js';
import { failureOf } from '../calling.js';

const bytes = (text: string) => new TextEncoder().encode(text);
async function* pieces(...texts: (string | Uint8Array | Error)[]) {
  for (const text of texts) {
    await Promise.resolve();
    if (text instanceof Error) throw text;
    yield typeof text === 'string' ? bytes(text) : text;
  }
}

const { signal } = new AbortController();
const url = new URL('https://example.com/mcp');
const request = { url, method: 'POST', headers: { a: '1' }, signal } as const;

describe('The text of a message', () => {
  const textOf = async (chunks: AsyncIterable<Uint8Array>, most: number) =>
    (await fetchClient(async () => new Response(ReadableStream.from(chunks)))(request)).text(most);

  test('is put together of its pieces, without a mark of byte order', async () => {
    const euro = bytes('€');
    expect(await textOf(pieces('\ufeffa', euro.subarray(0, 1), euro.subarray(1), '\ufeffb'), 100)).toBe('a€\ufeffb');
    expect(await textOf(pieces(), 0)).toBe('');
  });

  test('has so many bytes, and not one more', async () => {
    expect(await textOf(pieces('abc', '€'), 6)).toBe('abc€');
    expect(await failureOf(textOf(pieces('abc', '€'), 5))).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('more than 5 bytes') as string,
    });
  });
});

describe('The beginning of a body', () => {
  const response = (chunks: AsyncIterable<Uint8Array>) => ({ chunks: () => chunks }) as HttpResponse; // nothing else is read
  const most = 64 * 1024;

  test('is all of a short one, and what there was of one that broke off', async () => {
    expect(await beginningOf(response(pieces('\ufeffa', 'b')))).toBe('ab');
    expect(await beginningOf(response(pieces('a', new Error('reset'), 'b')))).toBe('a');
  });

  test('is 64 KB of a longer one, whose rest is not waited for', async () => {
    const asked: number[] = [];
    const ended = vi.fn();
    async function* endless() {
      try {
        for (;;) {
          await Promise.resolve();
          asked.push(1);
          yield bytes('x'.repeat(30_000));
        }
      } finally {
        ended();
      }
    }
    expect(await beginningOf(response(endless()))).toBe('x'.repeat(most));
    expect([asked.length, ended.mock.calls.length]).toEqual([3, 1]);
  });
});

describe("An exchange through the caller's fetch", () => {
  test('hands on what is sent, and follows no redirect', async () => {
    const fetch = vi.fn(() => Promise.resolve(new Response('ok', { status: 201, headers: { b: '2' } })));
    const response = await fetchClient(fetch)({ ...request, body: '' });
    await fetchClient(fetch)(request);
    const init = { method: 'POST', headers: { a: '1' }, signal, redirect: 'manual' };
    expect(fetch.mock.calls).toEqual([
      [url.href, { ...init, body: '' }],
      [url.href, init],
    ]);
    expect([response.status, response.header('b'), response.header('c')]).toEqual([201, '2', undefined]);
    expect(await response.text(2)).toBe('ok');
  });

  test('has an empty text if there is no body, and one that can be cancelled', async () => {
    const none = await fetchClient(() => Promise.resolve(new Response(null)))(request);
    none.cancel();
    expect(await none.text(0)).toBe('');
    const cancelled = vi.fn(() => Promise.reject(new Error('too late')));
    const body = new ReadableStream({ cancel: cancelled });
    const some = await fetchClient(() => Promise.resolve(new Response(body)))(request);
    some.cancel();
    await new Promise((resolve) => setImmediate(resolve));
    expect(cancelled).toHaveBeenCalledOnce();
  });
});
