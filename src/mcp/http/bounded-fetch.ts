import { LimitError } from '../errors.js';

export interface BoundedFetch {
  (input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** The same without the bound, for a body that is read with `text`, or bounded with `bound`. */
  unbounded(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  bound(response: Response): Response;
  readonly maxMessageBytes: number;
  /** Reads a whole body, at a fraction of what it costs to read it through a bounded response. */
  text(response: Response): Promise<string>;
  /** How long the last refusal for load (429, 503) asked to wait, in milliseconds. */
  retryAfterMs(): number | undefined;
  /** The error of the last body that was cut off; given once. */
  takeFailure(): LimitError | undefined;
  /** The Authorization header that a refusal (401) is the answer to. */
  authorizationOf(response: Response): string | undefined;
}

/**
 * Wraps a `fetch` for a server that is a stranger: a response body is cut off with an error once a single message in
 * it exceeds the bound; of what is no message (errors, web pages), only the beginning is read. What the SDK's errors do
 * not carry is remembered: when a busy server wants to be asked again, and which credentials were refused.
 *
 * @param maxMessageBytes counted over the whole body, or, in an event stream, from one blank line to the next
 */
export function boundedFetch(base: typeof fetch, maxMessageBytes: number): BoundedFetch {
  let retryAfter: number | undefined;
  let failure: LimitError | undefined;
  const authorizations = new WeakMap<Response, string | null>();
  const tooLarge = () => (failure = limitError(maxMessageBytes));
  const unbounded = async (input: string | URL | Request, init?: RequestInit) => {
    const response = await base(input, init);
    if (response.status === 401) authorizations.set(response, new Headers(init?.headers).get('authorization'));
    if (response.status === 429 || response.status === 503)
      retryAfter = readRetryAfter(response.headers.get('retry-after'));
    return response;
  };
  const bound = (response: Response) => {
    if (!response.body) return response;
    if (response.ok && isMessage(response)) return withBoundedBody(response, response.body, maxMessageBytes, tooLarge);
    const beginning = withBody(response, beginningOf(response.body, longestNonMessage));
    if (authorizations.has(response)) authorizations.set(beginning, authorizations.get(response)!);
    return beginning;
  };
  const bounded = async (input: string | URL | Request, init?: RequestInit) => bound(await unbounded(input, init));
  const text = (response: Response) => boundedText(response, maxMessageBytes, tooLarge);
  const takeFailure = () => {
    const taken = failure;
    failure = undefined;
    return taken;
  };
  const authorizationOf = (response: Response) => authorizations.get(response) ?? undefined;
  return Object.assign(bounded, {
    unbounded,
    bound,
    maxMessageBytes,
    text,
    retryAfterMs: () => retryAfter,
    takeFailure,
    authorizationOf,
  });
}

/** RFC 9110, 10.2.3: seconds, or a date. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

function withBoundedBody(
  response: Response,
  body: ReadableStream<Uint8Array>,
  limit: number,
  tooLarge: () => Error,
): Response {
  const inEvents = isEventStream(response);
  if (!inEvents) {
    const declared = declaredLength(response.headers);
    if (declared !== undefined && declared > limit) {
      void body.cancel();
      throw tooLarge();
    }
    // HTTP holds the server to what it declares, so there is nothing to count.
    if (declared !== undefined) return response;
  }
  return withBody(response, counted(body, limit, inEvents, tooLarge));
}

function withBody({ status, statusText, headers, url }: Response, body: ReadableStream<Uint8Array>): Response {
  const response = new Response(body, { status, statusText, headers });
  // A constructed response has no URL, which is asked for when a redirect is judged.
  return Object.defineProperty(response, 'url', { value: url });
}

export function isEventStream({ headers }: Response): boolean {
  return /^\s*text\/event-stream\s*(;|$)/i.test(headers.get('content-type') ?? '');
}

/** JSON by whatever name: what authorization servers answer goes this way as well. */
function isMessage(response: Response): boolean {
  return isEventStream(response) || /\bjson\b/i.test(response.headers.get('content-type') ?? '');
}

/** Of an error's body, or of a web page in place of a message, a line is quoted at most. */
const longestNonMessage = 64 * 1024;

function beginningOf(body: ReadableStream<Uint8Array>, limit: number): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let left = limit;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await reader.read();
      if (value) controller.enqueue(value.subarray(0, left));
      if (!done && (left -= value.length) > 0) return;
      controller.close();
      if (!done) await reader.cancel();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

async function boundedText({ headers, body }: Response, limit: number, tooLarge: () => Error): Promise<string> {
  if (!body) return '';
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  let fits = (declaredLength(headers) ?? 0) <= limit;
  while (fits) {
    const { value, done } = await reader.read();
    if (done) return new TextDecoder().decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
    chunks.push(value);
    fits = (length += value.length) <= limit;
  }
  void reader.cancel().catch(() => {});
  throw tooLarge();
}

/** The length of the body as it will be read. What is compressed may become any length. */
function declaredLength(headers: Headers): number | undefined {
  const length = headers.get('content-length');
  return length === null || headers.has('content-encoding') ? undefined : Number(length);
}

/** Hands a stream on piece by piece; a TransformStream would do the same at twice the cost of the whole exchange. */
function counted(
  body: ReadableStream<Uint8Array>,
  limit: number,
  isEventStream: boolean,
  tooLarge: () => Error,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let length = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await reader.read();
      if (done) {
        controller.close();
        return;
      }
      const boundary = isEventStream ? lastBlankLine(value) : -1;
      length = boundary < 0 ? length + value.length : value.length - boundary;
      if (length <= limit) {
        controller.enqueue(value);
        return;
      }
      controller.error(tooLarge());
      await reader.cancel();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Where the last event of a chunk ends. A boundary that is split between two chunks is missed, which only counts too much. */
function lastBlankLine(chunk: Uint8Array): number {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return Math.max(bytes.lastIndexOf('\n\n'), bytes.lastIndexOf('\r\n\r\n'), bytes.lastIndexOf('\r\r'));
}

function limitError(limit: number): LimitError {
  return new LimitError(
    `The server sent a message of more than ${limit} bytes.`,
    'Ask the server for less at a time, or raise maxMessageBytes.',
  );
}
