import type { RequestId } from '../wire/envelope.js';
import { beginning, brokenHint } from '../errors/wire-problem.js';
import type { Outgoing, Receiver, ResponseEnd, Transport } from '../transport/transport.js';
import { background, pause } from '../runtime/timers.js';
import { ConnectionError, LimitError, ProtocolError, type McpError } from '../errors/errors.js';
import type { Endpoint } from './endpoint.js';
import { readEvents } from './event-stream.js';
import { answersIn, failureOf, mediaType } from './http-failure.js';
import { messageHeaders, sessionHeaders, streamHeaders } from './request-headers.js';
import { drained, endsAtOnce, type HttpResponse } from '../http-client/http-client.js';

/** How long a stream is read on behind the answer; most servers end it there. */
const lingerMs = 10_000;

const reopenings = 2;

/** Without a `retry` of the server, at least, and at most. */
const reopenMs = { first: 1000, shortest: 100, longest: 30_000 };

/** MCP over streamable HTTP (2025-03-26 and later): every request is a POST, and its response brings the answer. */
export class StreamableHttp implements Transport {
  readonly kind = 'http';
  protocolVersion: string | undefined;
  sessionId: string | undefined;
  readonly finishAuthorization: (() => Promise<void>) | undefined;

  readonly #closing = new AbortController();
  #receiver: Receiver = { receive: () => false, isPending: () => false, ended: () => {} };
  #listening: Promise<boolean> | undefined;
  #isTerminated = false;

  constructor(
    readonly endpoint: Endpoint,
    readonly maxMessageBytes: number,
  ) {
    this.finishAuthorization = endpoint.finishAuthorization;
  }

  start(receiver: Receiver): Promise<void> {
    this.#receiver = receiver;
    return Promise.resolve();
  }

  async send(message: Outgoing): Promise<ResponseEnd | undefined> {
    const { id, method } = message;
    const isHandshake = method === 'initialize';
    if (isHandshake) this.sessionId = undefined;
    const response = await this.endpoint.request({
      method: 'POST',
      headers: { ...messageHeaders(this, message.headers), accept: 'application/json, text/event-stream' },
      body: message.text,
      signal: message.signal,
      mayRepeat: message.mayRepeat,
      onWritten: message.onWritten,
    });
    if (response.status < 200 || response.status > 299) {
      const texts = await answersIn(response, id, this.maxMessageBytes, this.sessionId);
      for (const text of texts) this.#receiver.receive(text, id);
      return undefined;
    }
    if (isHandshake) this.sessionId = response.header('mcp-session-id');
    const type = mediaType(response);
    if (id === undefined) {
      // A stream may last for as long as the session.
      if (type === 'text/event-stream') response.cancel();
      else await endsAtOnce(drained(response));
      return undefined;
    }
    if (type === 'text/event-stream') {
      const stream: StreamState = { reopened: 0 };
      const problem = await this.#readAndReopen(response, message.signal, id, stream);
      // The network's error explains more than that the stream has ended.
      if (problem instanceof LimitError || (problem instanceof Error && this.#receiver.isPending(id))) throw problem;
      return { failure: () => endedWithoutAnswer(method, stream.unread) };
    }
    if (type !== 'application/json' && response.status === 200) throw notMcp(response);
    // With HTTP 202 the answer comes elsewhere. Its body may stay open, and may hold the answer all the same.
    const isAccepted = response.status === 202 && type !== 'application/json';
    const reading = isAccepted ? drained(response) : response.text(this.maxMessageBytes);
    if (isAccepted && !(await endsAtOnce(reading))) void this.#openListening();
    const text = await reading;
    this.#receiver.receive(text, id);
    const failure = () => noAnswer(method, id, response.status, text);
    if (text.trim() !== '') return { failure };
    return { failure, mayComeElsewhere: this.#receiver.isPending(id) && (await this.#openListening()) };
  }

  async listen(): Promise<void> {
    await this.#openListening();
  }

  async terminate(): Promise<void> {
    // The id stays: a request that is refused meanwhile has to learn that the session is gone.
    if (this.sessionId === undefined || this.#isTerminated) return;
    this.#isTerminated = true;
    const headers = sessionHeaders(this);
    await drained(await this.endpoint.request({ method: 'DELETE', headers, signal: this.#closing.signal }));
  }

  close(): Promise<void> {
    this.#closing.abort();
    return Promise.resolve();
  }

  /**
   * Reads a stream, and opens it again if it breaks off. A request's stream is opened again only while its answer is
   * missing and its events have ids (2025-11-25, Resumability). Resolves with the error of the last read.
   */
  async #readAndReopen(
    first: HttpResponse,
    signal: AbortSignal,
    id?: RequestId,
    stream: StreamState = { reopened: 0 },
  ): Promise<unknown> {
    const mayReopen = () => id === undefined || (stream.lastEventId !== undefined && this.#receiver.isPending(id));
    let problem: unknown;
    let response: HttpResponse | undefined = first;
    for (let failures = 0; failures <= reopenings; failures = response ? 0 : failures + 1) {
      if (response) {
        problem = await this.#readStream(response, stream, id).then(
          () => undefined,
          (error: unknown) => error,
        );
        if (id === undefined) this.#receiver.missed?.();
        if (problem instanceof LimitError || !mayReopen()) break;
        if (id !== undefined && problem === undefined) this.#receiver.paused?.(id);
      }
      await pause(delayBefore(stream), signal);
      if (signal.aborted || !mayReopen()) break;
      response = await this.#openStream(signal, stream.lastEventId).catch(() => undefined);
      if (response && id === undefined) this.#receiver.missed?.();
    }
    return problem;
  }

  async #readStream(response: HttpResponse, stream: StreamState, id?: RequestId): Promise<void> {
    let linger: ReturnType<typeof setTimeout> | undefined;
    try {
      await readEvents(response.chunks(), {
        maxBytes: this.maxMessageBytes,
        onRetry: (ms) => {
          stream.retryMs = ms;
        },
        onEvent: ({ type, data, id: eventId }) => {
          if (eventId !== undefined) stream.lastEventId = eventId || undefined;
          if (data === '' || !['message', 'error'].includes(type)) return;
          if (this.#receiver.receive(data, id)) stream.reopened = 0;
          else stream.unread = data;
          if (id === undefined || linger || this.#receiver.isPending(id)) return;
          linger = background(() => response.cancel(), lingerMs);
        },
      });
    } finally {
      clearTimeout(linger);
    }
  }

  async #openStream(signal: AbortSignal, lastEventId?: string): Promise<HttpResponse> {
    const response = await this.endpoint.request({
      method: 'GET',
      headers: streamHeaders(this, lastEventId),
      signal,
      mayRepeat: true,
    });
    if (response.status === 200 && mediaType(response) === 'text/event-stream') return response;
    throw await failureOf(response);
  }

  /** Opens the stream for the server's notifications, once, and keeps it open. */
  #openListening(): Promise<boolean> {
    const { signal } = this.#closing;
    this.#listening ??= this.#openStream(signal).then(
      (response) => {
        void this.#readAndReopen(response, signal).then(() => (this.#listening = undefined));
        return true;
      },
      () => false,
    );
    return this.#listening;
  }
}

interface StreamState {
  /** The last event that is no message. */
  unread?: string;
  /** An empty id of the server means none (HTML, 9.2.5). */
  lastEventId?: string | undefined;
  retryMs?: number;
  /** Since the last message. */
  reopened: number;
}

/** As the server asks, and longer each time that brings nothing. */
function delayBefore(stream: StreamState): number {
  const least = Math.min(reopenMs.longest, reopenMs.shortest * 2 ** stream.reopened++);
  return Math.max(stream.retryMs ?? reopenMs.first, least);
}

function notMcp(response: HttpResponse): McpError {
  const contentType = response.header('content-type');
  response.cancel();
  return new ProtocolError('The server answered with something other than MCP:', {
    details: contentType === undefined ? 'content of no type.' : `content of type ${contentType}.`,
    hint: 'Check the URL: this looks like a web page or another kind of API.',
  });
}

function noAnswer(method: string, id: RequestId, status: number, text: string): McpError {
  const what = text.trim() === '' ? `HTTP ${status} and an empty body` : beginning(text);
  return new ProtocolError(`The server sent no answer to ${method} (id ${id}), but this:`, {
    details: `${what}.`,
    hint: brokenHint,
  });
}

function endedWithoutAnswer(method: string, unread: string | undefined): McpError {
  const title = `The server ended its response to ${method} without an answer${unread === undefined ? '.' : ', but with this:'}`;
  return new ConnectionError(title, {
    code: 'CONNECTION_LOST',
    details: unread === undefined ? undefined : beginning(unread),
  });
}
