import { nextTurn } from '../runtime/timers.js';
import { Chunks } from '../wire/chunks.js';
import { messageTooLarge } from '../errors/wire-problem.js';

/** One event of an event stream (HTML, 9.2.6). */
export interface StreamEvent {
  /** Default `message`. */
  type: string;
  data: string;
  /** Set where the event has an id, from which the stream can be taken up again. */
  id?: string | undefined;
}

interface EventStreamOptions {
  /** The longest event. */
  maxBytes: number;
  onEvent: (event: StreamEvent) => void;
  /** How long to wait before the stream is asked for again, in milliseconds. */
  onRetry?: (ms: number) => void;
}

/** How long events may be handled before others get their turn. */
const turnMs = 10;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Reads an event stream to its end. Lines end in a line feed, a carriage return or both; an event that is not followed by
 * an empty line was cut off, and is dropped. An event without data (one that only primes the stream with an id) has an
 * empty text. However many events come at once, the event loop is not held for longer than a moment.
 *
 * @throws LimitError when an event is longer than allowed
 */
export async function readEvents(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { maxBytes, onEvent, onRetry }: EventStreamOptions,
): Promise<void> {
  /** The line that has not ended yet. */
  const pieces = new Chunks();
  let length = 0;
  let event = emptyEvent();
  let afterReturn = false;
  let first = true;
  let turnBegan = performance.now();

  const endLine = (): void => {
    let line = pieces.takeText();
    if (first && line.startsWith('\ufeff')) line = line.slice(1);
    first = false;
    if (line === '') {
      if (event.isThere) onEvent({ type: event.type, data: event.data.join('\n'), id: event.id });
      event = emptyEvent();
      length = 0;
    } else {
      readField(line, event, onRetry);
      // Comments and fields that nobody knows are not kept.
      if (!event.isThere) length = 0;
    }
  };

  for await (const chunk of chunks) {
    let start = 0;
    while (start < chunk.length) {
      // The other half of a line end.
      if (afterReturn && chunk[start] === lineFeed) start++;
      afterReturn = false;
      const end = lineEnd(chunk, start);
      const piece = chunk.subarray(start, end);
      length += piece.length;
      if (length > maxBytes) throw messageTooLarge(maxBytes);
      if (piece.length > 0) pieces.push(piece);
      if (end === chunk.length) break;
      afterReturn = chunk[end] === carriageReturn;
      start = end + 1;
      endLine();
      if (performance.now() - turnBegan > turnMs) {
        await nextTurn();
        turnBegan = performance.now();
      }
    }
  }
}

function lineEnd(chunk: Uint8Array, start: number): number {
  const feed = chunk.indexOf(lineFeed, start);
  const end = feed < 0 ? chunk.length : feed;
  // Nearly nobody ends lines in carriage returns: looked for within the line only.
  const back = chunk.subarray(start, end).indexOf(carriageReturn);
  return back < 0 ? end : start + back;
}

function emptyEvent(): { type: string; data: string[]; id?: string; isThere: boolean } {
  return { type: 'message', data: [], isThere: false };
}

function readField(
  line: string,
  event: ReturnType<typeof emptyEvent>,
  onRetry: ((ms: number) => void) | undefined,
): void {
  const colon = line.indexOf(':');
  const name = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
  switch (name) {
    case 'data':
      event.data.push(value);
      event.isThere = true;
      break;
    case 'event':
      event.type = value === '' ? 'message' : value;
      break;
    case 'id':
      if (!value.includes('\0')) {
        event.id = value;
        event.isThere = true;
      }
      break;
    case 'retry':
      if (/^\d{1,9}$/.test(value)) onRetry?.(Number(value));
  }
}
