import type { Outgoing, Receiver, Transport } from '../transport/transport.js';
import { ConnectionError, LimitError } from '../errors/errors.js';
import { NoEventStream } from '../errors/failures.js';
import { connectionEnded } from '../errors/wire-problem.js';
import type { Endpoint } from './endpoint.js';
import { readEvents } from './event-stream.js';
import { answersIn, failureOf, mediaType } from './http-failure.js';
import { messageHeaders, streamHeaders } from './request-headers.js';
import { drained, endsAtOnce, type HttpResponse } from '../http-client/http-client.js';

/**
 * MCP over HTTP with server-sent events (2024-11-05). One stream, which is the session, brings all answers, and names
 * the address that messages are posted to.
 */
export class SseTransport implements Transport {
  readonly kind = 'sse';
  protocolVersion: string | undefined;
  readonly finishAuthorization: (() => Promise<void>) | undefined;

  readonly #closing = new AbortController();
  #receiver: Receiver | undefined;
  #messagesUrl: URL | undefined;

  constructor(
    readonly endpoint: Endpoint,
    readonly maxMessageBytes: number,
  ) {
    this.finishAuthorization = endpoint.finishAuthorization;
  }

  /** Resolves once the server has named the address for messages. */
  async start(receiver: Receiver): Promise<void> {
    this.#receiver = receiver;
    const response = await this.endpoint.request({
      method: 'GET',
      headers: streamHeaders({}),
      signal: this.#closing.signal,
      mayRepeat: true,
    });
    if (response.status !== 200) throw await failureOf(response);
    if (mediaType(response) !== 'text/event-stream') {
      response.cancel();
      throw new NoEventStream();
    }
    await new Promise<void>((resolve, reject) => void this.#read(response, resolve, reject));
  }

  async send({ text, method, headers, signal, id, mayRepeat, onWritten }: Outgoing): Promise<undefined> {
    const response = await this.endpoint.request({
      ...(this.#messagesUrl && { url: this.#messagesUrl }),
      method: 'POST',
      headers: messageHeaders(method === 'initialize' ? {} : this, headers),
      body: text,
      signal,
      mayRepeat,
      onWritten,
    });
    if (response.status >= 200 && response.status <= 299) {
      await endsAtOnce(drained(response));
      return;
    }
    for (const text of await answersIn(response, id, this.maxMessageBytes)) this.#receiver?.receive(text, id);
  }

  close(): Promise<void> {
    this.#closing.abort();
    return Promise.resolve();
  }

  async #read(response: HttpResponse, onEndpoint: () => void, onFailure: (error: Error) => void): Promise<void> {
    let failure: Error | undefined;
    try {
      await readEvents(response.chunks(), {
        maxBytes: this.maxMessageBytes,
        onEvent: ({ type, data }) => {
          if (type === 'endpoint' && !this.#messagesUrl) {
            this.#messagesUrl = endpointNamed(data, this.endpoint.url);
            onEndpoint();
          } else if (type === 'message' && data !== '') this.#receiver?.receive(data);
        },
      });
    } catch (error) {
      failure = error as Error; // of the stream, of its bounds, or of the endpoint that it names
    }
    if (!this.#messagesUrl) {
      onFailure(failure ?? badStream("The server's event stream has ended without naming an address for messages."));
      return;
    }
    if (this.#closing.signal.aborted) return;
    this.#receiver?.ended(failure instanceof LimitError ? failure : connectionEnded());
  }
}

function endpointNamed(data: string, url: URL): URL {
  const named = URL.canParse(data, url.href) ? new URL(data, url) : undefined;
  if (named?.origin === url.origin) return named;
  throw badStream(
    named
      ? `The server gives an address for messages on another origin, ${named.origin}; nothing is sent there.`
      : 'The server gives no valid address for messages.',
  );
}

function badStream(title: string): ConnectionError {
  return new ConnectionError(title, {
    code: 'CONNECTION_FAILED',
    hint: 'Check the path of the URL; SSE endpoints often end in /sse.',
  });
}
