import type { Receiver, Transport } from '../transport/transport.js';
import { LimitError } from '../errors/errors.js';
import { NoEventStream } from '../errors/failures.js';
import { checkPathOfSse } from '../errors/http-problem.js';
import { connectionEnded, unreachable } from '../errors/wire-problem.js';
import type { Endpoint } from './endpoint.js';
import { readEvents } from './event-stream.js';
import { answersIn, failureOf, mediaType } from './http-failure.js';
import { messageHeaders, streamHeaders } from './request-headers.js';
import { drained, endsAtOnce, type HttpResponse } from '../http-client/http-client.js';

/**
 * MCP over HTTP with server-sent events (2024-11-05). One stream, which is the session, brings all answers, and names
 * the address that messages are posted to.
 */
export function sseTransport(endpoint: Endpoint, maxBytes: number): Transport {
  const closing = new AbortController();
  let receiver: Receiver | undefined;
  let messagesUrl: URL | undefined;
  const transport: Transport = {
    kind: 'sse',
    endpoint,
    /** Resolves once the server has named the address for messages. */
    async start(given) {
      receiver = given;
      const { signal } = closing;
      const response = await endpoint.request({ method: 'GET', headers: streamHeaders({}), signal, mayRepeat: true });
      if (response.status !== 200) throw await failureOf(response);
      if (mediaType(response) !== 'text/event-stream') {
        response.cancel();
        throw new NoEventStream();
      }
      await new Promise<void>((resolve, reject) => void read(response, resolve, reject));
    },
    async send({ text, method, headers, signal, id, mayRepeat, onWritten }) {
      const response = await endpoint.request({
        ...(messagesUrl && { url: messagesUrl }),
        method: 'POST',
        headers: messageHeaders(method === 'initialize' ? {} : transport, headers),
        body: text,
        ...{ signal, mayRepeat, onWritten },
      });
      if (response.status >= 200 && response.status <= 299) await endsAtOnce(drained(response));
      else for (const text of await answersIn(response, id, maxBytes)) receiver?.receive(text, id);
      return undefined;
    },
    close: () => closing.abort(),
  };
  return transport;

  async function read(
    response: HttpResponse,
    onEndpoint: () => void,
    onFailure: (error: Error) => void,
  ): Promise<void> {
    let failure: Error | undefined;
    try {
      await readEvents(response.chunks(), {
        maxBytes,
        onEvent: ({ type, data }) => {
          if (type === 'endpoint' && !messagesUrl) {
            messagesUrl = endpointNamed(data, endpoint.url);
            onEndpoint();
          } else if (type === 'message' && data !== '') receiver?.receive(data);
        },
      });
    } catch (error) {
      failure = error as Error; // of the stream, of its bounds, or of the endpoint that it names
    }
    const title = "The server's event stream has ended without naming an address for messages.";
    if (!messagesUrl) onFailure(failure ?? unreachable(title, checkPathOfSse));
    else if (!closing.signal.aborted) receiver?.ended(failure instanceof LimitError ? failure : connectionEnded());
  }
}

function endpointNamed(data: string, url: URL): URL {
  const named = URL.canParse(data, url.href) ? new URL(data, url) : undefined;
  if (named?.origin === url.origin) return named;
  const title = named
    ? `The server gives an address for messages on another origin, ${named.origin}; nothing is sent there.`
    : 'The server gives no valid address for messages.';
  throw unreachable(title, checkPathOfSse);
}
