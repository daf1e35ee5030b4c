/** The beginning of an event stream (HTML, 9.2.6), read as far as its first event. */
export interface Opening {
  /** The data of the first event; undefined if that is anything but a plain message, or if there is none. */
  data?: string;
  /** What was read behind that event. */
  rest: Uint8Array;
  /** What was read in all, without comments in front of the event. */
  read: Uint8Array;
}

/**
 * Reads an event stream until its first event is complete, or turns out not to be plain. Plain is one line of data, with
 * or without `event: message`; an id, from which the stream could be resumed, is not.
 *
 * @param maxBytes after how much to give up waiting for the event's end
 */
export async function readOpening(reader: ReadableStreamDefaultReader<Uint8Array>, maxBytes: number): Promise<Opening> {
  let chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return notPlain(Buffer.concat(chunks));
    chunks.push(value);
    length += value.length;
    const endsLine = value.includes(lineFeed);
    // Looked at when a line has ended, so that a long one is put together once. Nobody ends lines in carriage returns alone.
    if (!endsLine && !value.includes(carriageReturn) && length <= maxBytes) continue;
    const read = withoutComments(Buffer.concat(chunks));
    const opening = endsLine && length <= maxBytes ? openingOf(read) : notPlain(read);
    if (opening) return opening;
    chunks = [read];
    length = read.length;
  }
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const colon = 0x3a;

function notPlain(read: Uint8Array): Opening {
  return { rest: Buffer.alloc(0), read };
}

/** Servers keep a connection alive with comments; lines of them, and empty lines, say nothing before an event begins. */
function withoutComments(bytes: Buffer): Buffer {
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(lineFeed, start);
    const empty = end === start || (end === start + 1 && bytes[start] === carriageReturn);
    if (end < 0 || (bytes[start] !== colon && !empty)) return bytes.subarray(start);
    start = end + 1;
  }
}

/** Undefined while the first event is not complete. */
function openingOf(bytes: Buffer): Opening | undefined {
  let data: string | undefined;
  let start = 0;
  for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, start)) {
    const line = bytes.toString('utf8', start, end).replace(/\r$/, '');
    start = end + 1;
    if (line === '' && data !== undefined) return { data, rest: bytes.subarray(start), read: bytes };
    if (line.startsWith('data:') && data === undefined) data = line.slice(line[5] === ' ' ? 6 : 5);
    else if (!/^event: ?message$/.test(line)) return notPlain(bytes);
  }
  return undefined;
}
