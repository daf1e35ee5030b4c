import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { isRecord } from '../record.js';
import type { BoundedFetch } from './bounded-fetch.js';

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

/** Told apart by name, not by class: a host's `fetch` may have a `Response` of its own. */
type Outcome = { answer: JSONRPCMessage } | { response: Response };

/** From here on, requests carry headers that are derived from their contents. */
const firstStateless = '2026-07-28';

/**
 * A short way for the plain exchange, which is nearly every one: a request of a negotiated session, answered with
 * status 200 and one JSON message. The SDK's transport joins abort signals, builds the headers from nothing and parses
 * both messages with Zod, several times over; together that is about a fifth of what a call on this machine takes.
 *
 * Whatever else comes of a request (a status, a redirect, an event stream, a malformed answer, a failure) is handed to
 * the transport as the outcome of its own `fetch`, and is dealt with there. So there is nothing that the short way has
 * to know about. A server that answers in event streams is left to the transport from then on.
 */
export function shortcut(url: URL, base: BoundedFetch): Shortcut {
  /** What came of requests that are handed to the transport, by their bodies, which are unique by their ids. */
  const outcomes = new Map<string, { response: Response } | { error: unknown }>();
  const closed = new AbortController();
  let streams = false;

  async function exchange(transport: HttpTransport, body: string, signal: AbortSignal | undefined): Promise<Outcome> {
    const headers = headersFor(transport);
    const response = await base.unbounded(url.href, { method: 'POST', headers, body, redirect: 'manual', ...(signal && { signal }) });
    const type = response.status === 200 ? (response.headers.get('content-type') ?? '') : '';
    if (/^\s*application\/json\s*(;|$)/i.test(type)) {
      const text = await base.text(response);
      const answer = readAnswer(text);
      return answer ? { answer } : { response: new Response(text, { headers: response.headers }) };
    }
    if (!/^\s*text\/event-stream\b/i.test(type)) return { response: base.bound(response) };
    streams = true;
    return { response: untilClosed(base.bound(response), closed.signal) };
  }

  return {
    fetch(input, init) {
      const outcome = typeof init?.body === 'string' ? outcomes.get(init.body) : undefined;
      if (!outcome) return base(input, init);
      outcomes.delete(init!.body as string); // a string, as the line before last has found
      return 'response' in outcome ? Promise.resolve(outcome.response) : Promise.reject(outcome.error as Error); // whatever was thrown
    },
    attach(transport) {
      const send = transport.send.bind(transport);
      const close = transport.close.bind(transport);
      transport.send = async (message, options) => {
        if (streams || options?.headers !== undefined || !isPlainRequest(message, transport.protocolVersion)) return send(message, options);
        const body = JSON.stringify(message);
        const exchanged = exchange(transport, body, options?.requestSignal);
        const outcome = await exchanged.catch((error: unknown) => ({ error }));
        if ('answer' in outcome) return transport.onmessage?.(outcome.answer);
        outcomes.set(body, outcome);
        return send(message, options);
      };
      transport.close = async () => {
        closed.abort();
        await close();
      };
    },
  };
}

function isPlainRequest(message: JSONRPCMessage, revision: string | undefined): boolean {
  return revision !== undefined && revision < firstStateless && 'method' in message && 'id' in message && message.method !== 'initialize';
}

function headersFor({ sessionId, protocolVersion }: HttpTransport): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(protocolVersion !== undefined && { 'mcp-protocol-version': protocolVersion }),
    ...(sessionId !== undefined && { 'mcp-session-id': sessionId }),
  };
}

/** A single well-formed answer (JSON-RPC 2.0, 5), or undefined for anything else, which is the transport's to judge. */
function readAnswer(text: string): JSONRPCMessage | undefined {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(message)) return undefined;
  const { jsonrpc, id, result, ...others } = message;
  const named = typeof id === 'string' || typeof id === 'number';
  const plain = jsonrpc === '2.0' && named && isRecord(result) && isRecord(result['_meta'] ?? {}) && Object.keys(others).length === 0;
  // What has been looked at is all that the type asks for.
  return plain ? (message as unknown as JSONRPCMessage) : undefined;
}

/** The transport's own requests end when it is closed; a stream that it did not ask for has to be ended likewise. */
function untilClosed(response: Response, signal: AbortSignal): Response {
  const { status, headers, body } = response;
  return new Response(body?.pipeThrough(new TransformStream(), { signal }) ?? null, { status, headers });
}
