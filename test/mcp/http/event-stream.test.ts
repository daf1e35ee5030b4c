import { describe, expect, test, vi } from 'vitest';
import { readEvents, type StreamEvent } from '../../../src/mcp/http/event-stream.js';

/** Reads an event stream that arrives in these pieces, as strings or bytes. */
async function eventsOf(pieces: (string | Uint8Array)[], maxBytes = 1000) {
  const events: StreamEvent[] = [];
  const retries: number[] = [];
  async function* chunks() {
    for (const piece of pieces) yield typeof piece === 'string' ? Buffer.from(piece) : piece;
  }
  await readEvents(chunks(), {
    maxBytes,
    onEvent: (event) => events.push(event),
    onRetry: (ms) => retries.push(ms),
  });
  return { events, retries };
}

const message = (data: string) => ({ type: 'message', data });
const euro = Buffer.from('data: 1 €\n\n');

describe('an event stream', () => {
  test.each<[string, (string | Uint8Array)[], StreamEvent[]]>([
    ['a message', ['data: {"a":1}\n\n'], [message('{"a":1}')]],
    ['a message that says that it is one', ['event: message\ndata: {"a":1}\n\n'], [message('{"a":1}')]],
    ['no space after the colon', ['event:message\ndata:1\n\n'], [message('1')]],
    ['the type behind the data', ['data: 1\nevent: message\n\n'], [message('1')]],
    ['line ends of Windows', ['event: message\r\ndata: 1\r\n\r\n'], [message('1')]],
    ['two lines of Windows', ['event: odd\r\ndata: 1\r\ndata: 2\r\n\r\n'], [{ type: 'odd', data: '1\n2' }]],
    ['a field without a value', ['data\ndata: 1\n\n'], [message('\n1')]],
    ['a mark of byte order where none belongs', ['data: 1\n\ufeffdata: 2\n\n'], [message('1')]],
    ['mixed line ends', ['event: message\r\ndata: 1\n\r\n'], [message('1')]],
    ['carriage returns alone', ['data: 1\r\rdata: 2\r\r'], [message('1'), message('2')]],
    ['pieces of a line', ['da', 'ta: ', '1', '\n', '\n'], [message('1')]],
    ['a piece of a line end', ['data: 1\r', '\n\r', '\n'], [message('1')]],
    ['a piece of a character', [euro.subarray(0, 9), euro.subarray(9)], [message('1 €')]],
    ['comments', [': ping\n\n', ':\n\n\n', ': ping\r\n\r\ndata: 1\n\n'], [message('1')]],
    ['several messages', ['data: 1\n\ndata: 2\n\nda'], [message('1'), message('2')]],
    ['an id', ['id: 7\ndata: 1\n\n'], [{ ...message('1'), id: '7' }]],
    ['nothing but an id', ['id: 7\n\n'], [{ ...message(''), id: '7' }]],
    ['an event of another type', ['event: endpoint\ndata: /messages\n\n'], [{ type: 'endpoint', data: '/messages' }]],
    ['data in two lines', ['data: [\ndata: ]\n\n'], [message('[\n]')]],
    ['a mark of byte order', ['\ufeffdata: 1\n\n'], [message('1')]],
    ['an event that does not end', ['data: 1\n'], []],
    ['a line that does not end', ['data: 1'], []],
    ['a type and no data', ['event: odd\n\ndata: 1\n\n'], [message('1')]],
  ])('An event stream with %s is understood', async (_, pieces, events) => {
    expect((await eventsOf(pieces)).events).toEqual(events);
    const bytes = pieces.map((piece) => Buffer.from(piece));
    const single = [...Buffer.concat(bytes)].map((byte) => Buffer.from([byte]));
    expect((await eventsOf(single)).events).toEqual(events);
  });

  test('An event stream may say how long to wait before it is opened again', async () => {
    expect((await eventsOf(['retry: 10\nretry: soon\nretry: 12345678901\ndata: 1\n\n'])).retries).toEqual([10]);
  });

  test.each([
    ['a line', ['data: 12345', '67890', '12345\n\n']],
    ['an event of many lines', ['data: 12345\n', 'data: 12345\n', '\n']],
    ['a line that never ends', ['data: 12345', '67890', '12345']],
  ])('An event stream with too long %s is cut off', async (_, pieces) => {
    await expect(eventsOf(pieces, 15)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  });

  test('An event stream may have many events of the maximum size, with comments of any length', async () => {
    const pieces = Array.from({ length: 100 }, () => [': ping\n'.repeat(10), 'data: 12345\n', '\n']).flat();
    const { events } = await eventsOf(pieces, 11);
    expect(events).toEqual(Array.from({ length: 100 }, () => message('12345')));
  });

  test('An event stream with many events at once does not block the event loop', async () => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    let longest = 0;
    let began = 0;
    let reading = true;
    const othersTurn = () => {
      longest = Math.max(longest, now - began);
      began = now;
      if (reading) setImmediate(othersTurn);
    };
    setImmediate(othersTurn);
    async function* flood() {
      yield Buffer.from('data: 1\n\n'.repeat(1000));
    }
    await readEvents(flood(), { maxBytes: 100, onEvent: () => now++ });
    reading = false;
    expect(now).toBe(1000);
    expect(longest).toBeGreaterThan(0);
    expect(longest).toBeLessThanOrEqual(12);
  });
});
