import { readFileSync } from 'node:fs';
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
const streams = JSON.parse(readFileSync(new URL('./event-streams.json', import.meta.url), 'utf8')) as [
  what: string,
  pieces: string[],
  events: [type: string, data: string, id?: string][],
][];

describe('an event stream', () => {
  test.each(streams)('An event stream with %s is understood', async (_, pieces, expected) => {
    const events = expected.map(([type, data, id]) => ({ type, data, ...(id !== undefined && { id }) }));
    expect((await eventsOf(pieces)).events).toEqual(events);
    const single = [...Buffer.from(pieces.join(''))].map((byte) => Buffer.from([byte]));
    expect((await eventsOf(single)).events).toEqual(events);
  });

  test('An event stream may end a piece within a character', async () => {
    const euro = Buffer.from('data: 1 €\n\n');
    expect((await eventsOf([euro.subarray(0, 9), euro.subarray(9)])).events).toEqual([message('1 €')]);
  });

  test('An event stream may say how long to wait before it is opened again', async () => {
    expect((await eventsOf(['retry: 10\nretry: soon\nretry: 12345678901\ndata: 1\n\n'])).retries).toEqual([10]);
  });

  test.each([
    ['a line', ['data: 12345', '67890', '12345\n\n']],
    ['an event of many lines', ['data: 12345\n', 'data: 12345\n', '\n']],
    ['a line that never ends', ['data: 12345', '67890', '12345']],
  ])('An event stream with too long %s is cut off', async (_, pieces) => {
    const message = expect.stringContaining('more than 15 bytes') as string;
    await expect(eventsOf(pieces, 15)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', message });
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
    let turns = 0;
    const othersTurn = () => {
      turns++;
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
    // Nor does it wait for others more often than that.
    expect(turns).toBeLessThan(200);
  });
});
