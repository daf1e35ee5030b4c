import { expect, test } from 'vitest';
import { fetchClient } from '../../../src/mcp/http-client/http-client.js';
import { failureOf } from '../calling.js';

const bytes = (text: string) => new TextEncoder().encode(text);

/** The text of a response with this body, of so many bytes at most. */
async function textOf(most: number, ...chunks: Uint8Array[]): Promise<string> {
  const exchange = fetchClient(async () => new Response(ReadableStream.from(chunks)));
  const url = new URL('https://example.com/mcp');
  const response = await exchange({ url, method: 'POST', headers: {}, signal: new AbortController().signal });
  return response.text(most);
}

test('The text of a message is joined from its chunks, without a byte order mark', async () => {
  const euro = bytes('€');
  const pieces = [bytes('\ufeffa'), euro.subarray(0, 1), euro.subarray(1), bytes('\ufeffb')];
  expect(await textOf(100, ...pieces)).toBe('a€\ufeffb');
  expect(await textOf(0)).toBe('');
});

test('The text of a message may have the maximum number of bytes, and not one more', async () => {
  expect(await textOf(6, bytes('abc'), bytes('€'))).toBe('abc€');
  const message = expect.stringContaining('more than 5 bytes') as string;
  expect(await failureOf(textOf(5, bytes('abc'), bytes('€')))).toMatchObject({ code: 'LIMIT_EXCEEDED', message });
});
