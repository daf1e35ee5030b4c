import type { ServerResponse } from 'node:http';
import type { Message } from '../../mcp/index.js';
import { Client, idTextIn, type Wire } from '../clients/client.js';
import { httpRefusal } from '../errors.js';
import type { Outbox } from '../outbox.js';
import type { ServeOptions } from '../principal.js';
import { eventStream, eventText } from './event-stream.js';
import type { OpenSession } from './open-sessions.js';

/** A session keeps so many bytes and messages for a client that loses a stream. */
const maxKeptBytes = 8 * 1024 * 1024;
const maxKeptEvents = 10_000;

/** Clients of this revision and later know events without a message. */
const withEmptyEvents = '2025-11-25';

interface Stream {
  out: Outbox | undefined;
  lastSent: number;
}

/** A session of a client with a handshake: a principal of its own, with streams that can be resumed. */
export class HttpSession implements OpenSession, Wire {
  readonly client: Client;
  readonly session: string;
  readonly #open = new Set<Outbox>();
  readonly #unanswered = new Map<string, Stream>();
  readonly #unasked: Stream = { out: undefined, lastSent: 0 };
  readonly #events = new Map<number, { stream: Stream; text: string }>();
  #eventBytes = 0;
  #lastEvent = 0;

  constructor(
    options: ServeOptions,
    readonly id: string,
    readonly onGivenUp: (reason: string) => void,
  ) {
    // A reader of the log could use the session with the whole id.
    this.session = id.slice(0, 8);
    this.client = new Client(options, this);
  }

  get isBusy(): boolean {
    return [...this.#open].some((stream) => stream !== this.#unasked.out && !stream.isStalled());
  }

  post(message: Message, outgoing: ServerResponse): void {
    if (message.kind !== 'request') {
      outgoing.writeHead(202, { 'mcp-session-id': this.id }).end();
      this.client.take(message);
      return;
    }
    const id = idTextIn(message.wire);
    if (this.#unanswered.has(id)) throw httpRefusal(400, 'Bad Request: a request with this id is already in flight.');
    const stream: Stream = { out: undefined, lastSent: 0 };
    this.#connect(stream, outgoing);
    this.#unanswered.set(id, stream);
    this.client.take(message);
    if ((this.client.principal?.identity.offering ?? '') >= withEmptyEvents) this.#put(stream, '');
  }

  listen(outgoing: ServerResponse, lastEventId: unknown): void {
    const stream = this.#events.get(Number(lastEventId))?.stream ?? this.#unasked;
    if (lastEventId === undefined && stream.out)
      throw httpRefusal(409, 'Conflict: Only one SSE stream is allowed per session');
    stream.out?.end();
    this.#connect(stream, outgoing);
    if (lastEventId !== undefined) stream.lastSent = Number(lastEventId);
    for (const [id, event] of this.#events)
      if (event.stream === stream && id > stream.lastSent && event.text !== '') this.#write(stream, event.text, id);
    if (stream !== this.#unasked && ![...this.#unanswered.values()].includes(stream)) stream.out?.end();
  }

  send(text: string, related?: string): void {
    this.#put((related === undefined ? undefined : this.#unanswered.get(related)) ?? this.#unasked, text);
  }

  answer(id: string, text: string): void {
    this.send(text, id);
    this.drop(id);
  }

  drop(related: string): void {
    this.pause(related);
    this.#unanswered.delete(related);
  }

  pause(related: string): void {
    this.#unanswered.get(related)?.out?.end();
  }

  async close(reason: string): Promise<void> {
    this.client.takeBack();
    for (const stream of this.#open) stream.end();
    await this.client.principal?.close(reason);
  }

  #connect(stream: Stream, outgoing: ServerResponse): void {
    outgoing.setHeader('mcp-session-id', this.id);
    const out = eventStream(outgoing, this.onGivenUp, this.#open);
    stream.out = out;
    outgoing.once('close', () => {
      if (stream.out === out) stream.out = undefined;
    });
  }

  #put(stream: Stream, text: string): void {
    const id = ++this.#lastEvent;
    this.#events.set(id, { stream, text });
    this.#eventBytes += Buffer.byteLength(text);
    this.#write(stream, text, id);
    for (const [oldest, event] of this.#events) {
      if (this.#eventBytes <= maxKeptBytes && this.#events.size <= maxKeptEvents) break;
      this.#events.delete(oldest);
      this.#eventBytes -= Buffer.byteLength(event.text);
    }
  }

  #write(stream: Stream, text: string, id: number): void {
    if (!stream.out) return;
    stream.out.write(eventText(text, id));
    stream.lastSent = id;
  }
}
