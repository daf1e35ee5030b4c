import type { ServerResponse } from 'node:http';
import { handshakeRevisions, type Message, type RequestId } from '../../mcp/index.js';
import { Client, type Wire } from '../clients/client.js';
import { Principal, type ServeOptions } from '../principal.js';
import { EventStream } from './event-stream.js';
import type { Place } from './places.js';

/** How much of what was sent is kept for clients that lose a stream, in bytes a session. */
const mostKeptBytes = 8 * 1024 * 1024;

/** From here on clients know what an event without a message is for. */
const withEmptyEvents = '2025-11-25';

/** The messages in response to one request, or those that belong to none. */
interface Stream {
  out: EventStream | undefined;
  /** The last event that went out. */
  sent: number;
}

interface Event {
  readonly stream: Stream;
  readonly text: string;
}

/** A session of a client with a handshake: a principal of its own, with streams that can be taken up again. */
export class HttpSession implements Place, Wire {
  readonly id: string;
  /** The token that it was begun with. */
  readonly owner: string;
  readonly #client: Client;
  readonly #log: (line: string) => void;
  #principal: Principal | undefined;
  /** The streams of requests that are not answered. */
  readonly #streams = new Map<RequestId, Stream>();
  /** For what the servers send unasked. */
  readonly #unasked: Stream = { out: undefined, sent: 0 };
  readonly #events = new Map<number, Event>();
  #eventBytes = 0;
  #lastEvent = 0;
  /** Ends the session where its client reads nothing. */
  readonly #giveUp: (reason: string) => void;

  constructor(options: ServeOptions, { id, owner, end }: { id: string; owner: string; end: () => void }) {
    this.id = id;
    this.owner = owner;
    this.#log = options.log;
    this.#client = new Client((identity) => (this.#principal = new Principal(options, identity)), this);
    this.#giveUp = (reason) => {
      options.log(`A client is given up: ${reason}.`);
      end();
    };
  }

  /** @param revision of the client, where its requests say */
  post(messages: readonly Message[], outgoing: ServerResponse, headers: Record<string, string>, revision = ''): void {
    const asked = messages.flatMap((message) => (message.kind === 'request' ? [message] : []));
    const own = { ...headers, 'mcp-session-id': this.id };
    if (asked.length === 0) outgoing.writeHead(202, own).end();
    else {
      const stream: Stream = { out: new EventStream(outgoing, own, this.#giveUp), sent: 0 };
      this.#hold(stream, outgoing);
      for (const { id } of asked) this.#streams.set(id, stream);
      const offered = asked.find(({ method }) => method === 'initialize')?.params['protocolVersion'];
      const isKnown = handshakeRevisions.includes(String(offered));
      if ((isKnown ? String(offered) : revision) >= withEmptyEvents) this.#put(stream, '');
    }
    for (const message of messages) this.#client.take(message);
  }

  /** A stream for what is sent unasked, or one that broke off. @returns false where the first is open already */
  listen(outgoing: ServerResponse, headers: Record<string, string>, after: string | undefined): boolean {
    const stream = (after === undefined ? undefined : this.#events.get(Number(after))?.stream) ?? this.#unasked;
    if (after === undefined && stream.out) return false;
    stream.out?.end();
    stream.out = new EventStream(outgoing, { ...headers, 'mcp-session-id': this.id }, this.#giveUp);
    this.#hold(stream, outgoing);
    if (after !== undefined) stream.sent = Number(after);
    for (const [id, event] of this.#events)
      if (event.stream === stream && id > stream.sent && event.text !== '') this.#write(stream, event.text, id);
    if (stream !== this.#unasked && ![...this.#streams.values()].includes(stream)) stream.out.end();
    return true;
  }

  send(text: string, related?: RequestId, isAnswer = false): void {
    const stream = (related === undefined ? undefined : this.#streams.get(related)) ?? this.#unasked;
    this.#put(stream, text);
    if (!isAnswer || related === undefined) return;
    this.#streams.delete(related);
    if (![...this.#streams.values()].includes(stream)) stream.out?.end();
  }

  pause(related: RequestId): void {
    this.#streams.get(related)?.out?.end();
  }

  async close(): Promise<void> {
    this.#client.close();
    for (const { out } of [this.#unasked, ...this.#streams.values()]) out?.end();
    await this.#principal?.close().catch((error: unknown) => {
      this.#log(String(error));
    });
  }

  #hold(stream: Stream, outgoing: ServerResponse): void {
    const { out } = stream;
    outgoing.once('close', () => {
      if (stream.out === out) stream.out = undefined;
    });
  }

  #put(stream: Stream, text: string): void {
    const id = ++this.#lastEvent;
    const bytes = Buffer.byteLength(text);
    this.#events.set(id, { stream, text });
    this.#eventBytes += bytes;
    this.#write(stream, text, id);
    for (const [oldest, event] of this.#events) {
      if (this.#eventBytes <= mostKeptBytes && this.#events.size <= mostEvents) break;
      this.#events.delete(oldest);
      this.#eventBytes -= Buffer.byteLength(event.text);
    }
  }

  #write(stream: Stream, text: string, id: number): void {
    if (!stream.out) return;
    stream.out.send(text, id);
    stream.sent = id;
  }
}

/** Short ones take more than their bytes. */
const mostEvents = 10_000;
