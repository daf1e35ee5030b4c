import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { answerStreams, type StreamOutcome } from './answer-streams.js';
import { isJsonResponse, readAnswers, type SentRequest } from './answers.js';
import { isEventStream, type BoundedFetch } from './bounded-fetch.js';

/** What the SDK's streamable HTTP transport has beyond the interface of transports. */
interface HttpTransport extends Transport {
  readonly protocolVersion: string | undefined;
}

export interface Shortcut {
  /** The `fetch` for the transport. */
  fetch: typeof fetch;
  /** Puts the shortcut in front of the transport. */
  attach(transport: HttpTransport): void;
}

/** The answer, with what else came beside it; or something that the transport has to deal with. */
type Outcome = StreamOutcome | { messages: JSONRPCMessage[]; later?: undefined };

/** From here on, requests carry headers that are derived from their contents. */
const firstStateless = '2026-07-28';

/**
 * A short way for the plain exchange, which is nearly every one: a request of a negotiated session, answered with
 * status 200 and either a body of JSON or an event stream that begins with the answer. The SDK's transport joins abort
 * signals, builds the headers from nothing, takes event streams through three streams more and parses both messages
 * with Zod, several times over; together that is a fifth and more of what a call on this machine takes.
 *
 * Whatever else comes of a request (a status, a redirect, an event stream that begins with something else or can be
 * resumed, a failure) is handed to the transport as the outcome of its own `fetch`, and is dealt with there. So there is
 * nothing that the short way has to know about.
 */
export function shortcut(url: URL, base: BoundedFetch): Shortcut {
  /** What came of requests that are handed to the transport, by their bodies, which are unique by their ids. */
  const outcomes = new Map<string, { response: Response } | { error: unknown }>();
  const streams = answerStreams(base);

  async function exchange(
    transport: HttpTransport,
    request: SentRequest,
    body: string,
    signal: AbortSignal | undefined,
  ): Promise<Outcome> {
    const headers = headersFor(transport);
    const response = await base.unbounded(url.href, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      ...(signal && { signal }),
    });
    if (isJsonResponse(response)) return { messages: readAnswers(request, response, await base.text(response)) };
    if (response.status !== 200 || !response.body || !isEventStream(response))
      return { response: base.bound(response) };
    return streams.read(request, response, response.body);
  }

  return {
    fetch(input, init) {
      const outcome = typeof init?.body === 'string' ? outcomes.get(init.body) : undefined;
      if (!outcome) return base(input, init);
      outcomes.delete(init!.body as string); // a string, as the line before last has found
      return 'response' in outcome ? Promise.resolve(outcome.response) : Promise.reject(outcome.error); // whatever was thrown
    },
    attach(transport) {
      const send = transport.send.bind(transport);
      const close = transport.close.bind(transport);
      transport.send = async (message, options) => {
        if (options?.headers !== undefined || !isPlainRequest(message, transport.protocolVersion))
          return send(message, options);
        const body = JSON.stringify(message);
        const handOver = (outcome: { response: Response } | { error: unknown }) => {
          outcomes.set(body, outcome);
          return send(message, options);
        };
        const exchanged = exchange(transport, message, body, options?.requestSignal);
        const outcome = await exchanged.catch((error: unknown) => ({ error }));
        if (!('messages' in outcome)) return handOver(outcome);
        for (const received of outcome.messages) transport.onmessage?.(received);
        // The answer is there: how its stream ends concerns nobody.
        void outcome.later?.then((response) => response && handOver({ response })).catch(() => {});
      };
      transport.close = async () => {
        streams.close();
        await close();
      };
    },
  };
}

function isPlainRequest(
  message: JSONRPCMessage,
  revision: string | undefined,
): message is JSONRPCMessage & SentRequest {
  return (
    revision !== undefined &&
    revision < firstStateless &&
    'method' in message &&
    'id' in message &&
    message.method !== 'initialize'
  );
}

function headersFor({ sessionId, protocolVersion }: HttpTransport): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(protocolVersion !== undefined && { 'mcp-protocol-version': protocolVersion }),
    ...(sessionId !== undefined && { 'mcp-session-id': sessionId }),
  };
}
