import type { RequestId } from '../wire/envelope.js';
import { beginning, brokenHint, connectionLost } from '../errors/wire-problem.js';
import type { Outgoing, Receiver, ResponseEnd, Transport } from '../transport/transport.js';
import { background, pause } from '../runtime/timers.js';
import { LimitError, ProtocolError, type McpError } from '../errors/errors.js';
import type { Endpoint } from './endpoint.js';
import { readEvents } from './event-stream.js';
import { answersIn, failureOf, mediaType } from './http-failure.js';
import { messageHeaders, sessionHeaders, streamHeaders } from './request-headers.js';
import { drained, endsAtOnce, type HttpResponse } from '../http-client/http-client.js';

/** How long a stream is read on behind the answer; most servers end it there. */
const lingerMs = 10_000;

const accepting = { accept: 'application/json, text/event-stream' };

const reopenings = 2;

/** Without a `retry` of the server, at least, and at most. */
const reopenMs = { first: 1000, shortest: 100, longest: 30_000 };

/** MCP over streamable HTTP (2025-03-26 and later): every request is a POST, and its response brings the answer. */
export function streamableHttp(endpoint: Endpoint, maxBytes: number): Transport {
  const closing = new AbortController();
  let receiver: Receiver = { receive: () => false, isPending: () => false, ended: () => undefined };
  let listening: Promise<boolean> | undefined;
  let isTerminated = false;
  const transport: Transport = {
    kind: 'http',
    endpoint,
    sessionId: undefined,
    start: (given) => void (receiver = given),
    send,
    listen: openListening,
    async terminate() {
      // The id stays: a request that is refused meanwhile has to learn that the session is gone.
      if (transport.sessionId === undefined || isTerminated) return;
      isTerminated = true;
      const headers = sessionHeaders(transport);
      await drained(await endpoint.request({ method: 'DELETE', headers, signal: closing.signal }));
    },
    close: () => closing.abort(),
  };
  return transport;

  async function send(message: Outgoing): Promise<ResponseEnd | undefined> {
    const { id, method, text: body, signal, mayRepeat, onWritten } = message;
    const isHandshake = method === 'initialize';
    if (isHandshake) transport.sessionId = undefined;
    const response = await endpoint.request({
      method: 'POST',
      headers: Object.assign(messageHeaders(transport, message.headers), accepting),
      ...{ body, signal, mayRepeat, onWritten },
    });
    if (response.status < 200 || response.status > 299) {
      for (const text of await answersIn(response, id, maxBytes, transport.sessionId)) receiver.receive(text, id);
      return undefined;
    }
    if (isHandshake) transport.sessionId = response.header('mcp-session-id');
    const type = mediaType(response);
    if (id === undefined) {
      // A stream may last for as long as the session.
      if (type === 'text/event-stream') response.cancel();
      else await endsAtOnce(drained(response));
      return undefined;
    }
    if (type === 'text/event-stream') {
      const stream: StreamState = { reopened: 0 };
      const problem = await readAndReopen(response, signal, id, stream);
      // The network's error explains more than that the stream has ended.
      if (problem instanceof LimitError || (problem instanceof Error && receiver.isPending(id))) throw problem;
      return { failure: () => endedWithoutAnswer(method, stream.unread) };
    }
    if (type !== 'application/json' && response.status === 200) throw notMcp(response);
    // With HTTP 202 the answer comes elsewhere. Its body may stay open, and may hold the answer all the same.
    const isAccepted = response.status === 202 && type !== 'application/json';
    const reading = isAccepted ? drained(response) : response.text(maxBytes);
    if (isAccepted && !(await endsAtOnce(reading))) void openListening();
    const text = await reading;
    receiver.receive(text, id);
    const failure = () => noAnswer(method, id, response.status, text);
    if (text.trim() !== '') return { failure };
    return { failure, mayComeElsewhere: receiver.isPending(id) && (await openListening()) };
  }

  /**
   * Reads a stream, and opens it again if it breaks off. A request's stream is opened again only while its answer is
   * missing and its events have ids (2025-11-25, Resumability). Resolves with the error of the last read.
   */
  async function readAndReopen(
    first: HttpResponse,
    signal: AbortSignal,
    id?: RequestId,
    stream: StreamState = { reopened: 0 },
  ): Promise<unknown> {
    const mayReopen = () => id === undefined || (stream.lastEventId !== undefined && receiver.isPending(id));
    let problem: unknown;
    let response: HttpResponse | undefined = first;
    for (let failures = 0; failures <= reopenings; failures = response ? 0 : failures + 1) {
      if (response) {
        problem = await readStream(response, stream, id).catch((error: unknown) => error);
        if (id === undefined) receiver.missed?.();
        if (problem instanceof LimitError || !mayReopen()) break;
        if (id !== undefined && problem === undefined) receiver.paused?.(id);
      }
      await pause(delayBefore(stream), signal);
      if (signal.aborted || !mayReopen()) break;
      response = await openStream(signal, stream.lastEventId).catch(() => undefined);
      if (response && id === undefined) receiver.missed?.();
    }
    return problem;
  }

  async function readStream(response: HttpResponse, stream: StreamState, id?: RequestId): Promise<void> {
    let linger: ReturnType<typeof setTimeout> | undefined;
    try {
      await readEvents(response.chunks(), {
        maxBytes,
        onRetry: (ms) => (stream.retryMs = ms),
        onEvent: ({ type, data, id: eventId }) => {
          if (eventId !== undefined) stream.lastEventId = eventId || undefined;
          if (data === '' || !['message', 'error'].includes(type)) return;
          if (receiver.receive(data, id)) stream.reopened = 0;
          else stream.unread = data;
          if (id === undefined || linger || receiver.isPending(id)) return;
          linger = background(() => response.cancel(), lingerMs);
        },
      });
    } finally {
      clearTimeout(linger);
    }
  }

  async function openStream(signal: AbortSignal, lastEventId?: string): Promise<HttpResponse> {
    const headers = streamHeaders(transport, lastEventId);
    const response = await endpoint.request({ method: 'GET', headers, signal, mayRepeat: true });
    if (response.status === 200 && mediaType(response) === 'text/event-stream') return response;
    throw await failureOf(response);
  }

  /** Opens the stream for the server's notifications, once, and keeps it open. */
  function openListening(): Promise<boolean> {
    const { signal } = closing;
    listening ??= openStream(signal)
      .then((response) => {
        void readAndReopen(response, signal).then(() => (listening = undefined));
        return true;
      })
      .catch(() => false);
    return listening;
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
  const details = contentType === undefined ? 'content of no type.' : `content of type ${contentType}.`;
  const hint = 'Check the URL: this looks like a web page or another kind of API.';
  return new ProtocolError('The server answered with something other than MCP:', { details, hint });
}

function noAnswer(method: string, id: RequestId, status: number, text: string): McpError {
  const title = `The server sent no answer to ${method} (id ${id}), but this:`;
  const what = text.trim() === '' ? `HTTP ${status} and an empty body` : beginning(text);
  return new ProtocolError(title, { details: `${what}.`, hint: brokenHint });
}

function endedWithoutAnswer(method: string, unread: string | undefined): McpError {
  const title = `The server ended its response to ${method} without an answer`;
  if (unread === undefined) return connectionLost(`${title}.`);
  return connectionLost(`${title}, but with this:`, undefined, beginning(unread));
}
