import { nextTurn } from '../runtime/node-runtime.js';
import { messageTooLarge } from '../errors/wire-problem.js';
import { lineSplitter } from '../wire/lines.js';

/** One event of an event stream (HTML, 9.2.6). */
export interface StreamEvent {
  type: string;
  data: string;
  id?: string | undefined;
}

interface EventReader {
  readonly maxBytes: number;
  readonly onEvent: (event: StreamEvent) => void;
  readonly onRetry?: (ms: number) => void;
}

const longestTurnMs = 10;

/**
 * Reads an event stream to its end. An event that is not followed by an empty line was cut off, and is dropped; one
 * without data has an empty text. However many events come at once, the event loop is not held for long.
 *
 * @throws LimitError when an event is longer than `maxBytes`
 */
export async function readEvents(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { maxBytes, onEvent, onRetry }: EventReader,
): Promise<void> {
  let event = emptyEvent();
  let length = 0;
  let first = true;
  let turnBegan = performance.now();

  const readLine = (text: string): void => {
    const line = first && text.startsWith('\ufeff') ? text.slice(1) : text;
    first = false;
    length += line.length;
    if (length > maxBytes) throw messageTooLarge(maxBytes);
    if (line === '') {
      if (event.isThere) onEvent({ type: event.type, data: event.data.join('\n'), id: event.id });
      event = emptyEvent();
    } else readField(line, event, onRetry);
    // Comments and fields that nobody knows are not kept.
    if (!event.isThere) length = 0;
  };

  const splitter = lineSplitter(maxBytes, true);
  for await (const chunk of chunks) {
    for (const line of splitter.push(chunk)) {
      readLine(line);
      if (performance.now() - turnBegan <= longestTurnMs) continue;
      await nextTurn();
      turnBegan = performance.now();
    }
    if (splitter.isTooLong) throw messageTooLarge(maxBytes);
  }
}

function emptyEvent(): { type: string; data: string[]; id?: string; isThere: boolean } {
  return { type: 'message', data: [], isThere: false };
}

function readField(line: string, event: ReturnType<typeof emptyEvent>, onRetry?: (ms: number) => void): void {
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
      if (value.includes('\0')) break;
      event.id = value;
      event.isThere = true;
      break;
    case 'retry':
      if (/^\d{1,9}$/.test(value)) onRetry?.(Number(value));
  }
}
