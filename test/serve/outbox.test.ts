import { Writable } from 'node:stream';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Outbox, outboxFor } from '../../src/serve/outbox.js';

beforeEach(() => void vi.useFakeTimers());

/** A client that reads one piece whenever the test lets it. */
function client(limits?: Parameters<typeof outboxFor>[3], ofClient?: Set<Outbox>) {
  const read: string[] = [];
  let next: (() => void) | undefined;
  const stream = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _encoding, done) {
      read.push(chunk.toString('utf8'));
      next = done;
    },
  });
  const stalled: string[] = [];
  const outbox = outboxFor(stream, (reason) => stalled.push(reason), ofClient, limits);
  const readNext = async () => {
    next?.();
    next = undefined;
    await vi.advanceTimersByTimeAsync(0);
  };
  return { outbox, stream, read, stalled, readNext };
}

type Client = ReturnType<typeof client>;

describe('messages that wait for a client', () => {
  test('A single waiting message may exceed the limit for all waiting messages', async () => {
    const { outbox, read, readNext } = client({ bytes: 100, unreadMs: 30_000 });
    outbox.write('b'.repeat(1000));
    await readNext();
    expect(read.join('')).toBe('b'.repeat(1000));
  });

  test('A waiting message is given up after a time in which the client reads nothing', async () => {
    const { outbox, stream, stalled, readNext } = client();
    vi.advanceTimersByTime(40_000);
    for (const text of ['a', 'b', 'c']) outbox.write(text);
    await readNext();
    vi.advanceTimersByTime(29_999);
    await readNext();
    vi.advanceTimersByTime(29_999);
    expect(stream.destroyed).toBe(false);
    vi.advanceTimersByTime(1);
    expect([stream.destroyed, stalled]).toEqual([true, ['it has read nothing for 30 s']]);
  });

  test('A waiting message makes room for others after five seconds in which the client reads nothing', async () => {
    const { outbox, readNext } = client();
    vi.advanceTimersByTime(10_000);
    for (const text of ['a', 'b', 'c']) outbox.write(text);
    await readNext();
    vi.advanceTimersByTime(4999);
    expect(outbox.isStalled()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(outbox.isStalled()).toBe(true);
    await readNext();
    expect(outbox.isStalled()).toBe(false);
  });

  test('All messages that wait for a client count, and none is written after the end', async () => {
    const ofClient = new Set<Outbox>();
    const [one, other] = [1, 2].map(() => client({ bytes: 100, unreadMs: 30_000 }, ofClient)) as [Client, Client];
    for (const text of ['a', 'b', 'c'.repeat(60)]) one.outbox.write(text);
    other.outbox.write('d'.repeat(60));
    expect([one.stalled, other.stalled]).toEqual([[], ['more than 100 bytes wait for it']]);
    one.outbox.end();
    one.outbox.write('e');
    while (one.read.join('').length < 62) await one.readNext();
    await one.readNext();
    expect([one.read.join(''), ofClient.size]).toEqual([`ab${'c'.repeat(60)}`, 0]);
  });

  test('A waiting message is dropped with its stream', async () => {
    const { outbox, stream, stalled } = client();
    outbox.write('a');
    stream.destroy();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([stalled, vi.getTimerCount()]).toEqual([[], 0]);
  });
});
