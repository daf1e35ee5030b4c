import { describe, expect, test } from 'vitest';
import { readOpening } from '../../src/mcp/http/opening.js';

/** Reads an event stream that comes in these pieces, which are texts or bytes. */
async function opening(pieces: (string | Uint8Array)[], maxBytes = 1000) {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(typeof piece === 'string' ? Buffer.from(piece) : piece);
      controller.close();
    },
  });
  const { data, rest, read } = await readOpening(stream.getReader(), maxBytes);
  return { data, rest: Buffer.from(rest).toString(), read: Buffer.from(read).toString() };
}

const euro = Buffer.from('data: 1 €\n\n');

describe('the opening of an event stream', () => {
  test.each<[string, (string | Uint8Array)[], string, string]>([
    ['a message', ['data: {"a":1}\n\n'], '{"a":1}', ''],
    ['a message that says that it is one', ['event: message\ndata: {"a":1}\n\n'], '{"a":1}', ''],
    ['no space after the colon', ['event:message\ndata:1\n\n'], '1', ''],
    ['the type behind the data', ['data: 1\nevent: message\n\n'], '1', ''],
    ['line ends of Windows', ['event: message\r\ndata: 1\r\n\r\n'], '1', ''],
    ['mixed line ends', ['event: message\r\ndata: 1\n\r\n'], '1', ''],
    ['pieces of a line', ['da', 'ta: ', '1', '\n', '\n'], '1', ''],
    ['a piece of a line end', ['data: 1\r\n\r', '\n'], '1', ''],
    ['a piece of a character', [euro.subarray(0, 9), euro.subarray(9)], '1 €', ''],
    ['comments first', [': ping\n\n', ':\n\n\n', ': ping\r\n\r\ndata: 1\n\n'], '1', ''],
    ['more than the message', ['data: 1\n\ndata: 2\n\nda'], '1', 'data: 2\n\nda'],
  ])('with %s is understood', async (_, pieces, data, rest) => {
    expect(await opening(pieces)).toMatchObject({ data, rest });
  });

  test.each<[string, string[]]>([
    ['an id, from which it could be resumed', ['id: 7\ndata: 1\n\n']],
    ['an id behind the data', ['data: 1\nid: 7\n\n']],
    ['a time to wait', ['retry: 10\ndata: 1\n\n']],
    ['an event of another type', ['event: endpoint\ndata: /messages\n\n']],
    ['data in two lines', ['data: [\ndata: ]\n\n']],
    ['no line feeds', ['data: 1\r\r']],
    ['a mark of byte order', ['\ufeffdata: 1\n\n']],
    ['an event that does not end', ['data: 1\n']],
    ['a line that does not end', ['data: 1']],
    ['a line that is too long', ['data: 12345', '67890', '12345\n\n']],
  ])('with %s is left, whole, to others', async (_, pieces) => {
    const { data, read, rest } = await opening(pieces, 15);
    expect(data).toBeUndefined();
    expect(pieces.join('')).toContain(read);
    expect(rest).toBe('');
    expect(read).not.toBe('');
  });

  test('keeps nothing of comments, however many there are', async () => {
    const { data, read } = await opening([...Array.from({ length: 100 }, () => ': ping\n\n'), 'id: 7\n'], 50);
    expect({ data, read }).toEqual({ data: undefined, read: 'id: 7\n' });
  });
});
