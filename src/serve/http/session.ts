import type { ServerResponse } from 'node:http';
import { handshakeRevisions, type Message, type RequestId } from '../../mcp/index.js';
import { Client, type Wire } from '../clients/client.js';
import { Principal, type ServeOptions } from '../principal.js';
import { EventStream } from './event-stream.js';
import type { OpenSession } from './open-sessions.js';

/** How much of what was sent is kept for clients that lose a stream: bytes a session, and messages. */
const maxKeptBytes = 8 * 1024 * 1024;
const maxKeptEvents = 10_000;

/** From here on clients know what an event without a message is for. */
const withEmptyEvents = '2025-11-25';

/** The messages in response to one request, or those that belong to none. */
interface Stream {
  out: EventStream | undefined;
  /** The last event that was sent. */
  sent: number;
}

/** A session of a client with a handshake: a principal of its own, with streams that can be resumed. */
export class HttpSession implements OpenSession, Wire {
  readonly id: string;
  /** The name of the token that it was begun with. */
  readonly owner: string;
  readonly #client: Client;
  readonly #onGivenUp: (reason: string) => void;
  #principal: Principal | undefined;
  readonly #open = new Set<EventStream>();
  /** The streams of requests that are not answered. */
  readonly #streams = new Map<RequestId, Stream>();
  /** For messages that belong to no request. */
  readonly #unasked: Stream = { out: undefined, sent: 0 };
  readonly #events = new Map<number, { stream: Stream; text: string }>();
  #eventBytes = 0;
  #lastEvent = 0;

  constructor(options: ServeOptions, { id, owner, end }: { id: string; owner: string; end: () => void }) {
    this.id = id;
    this.owner = owner;
    this.#client = new Client((identity) => (this.#principal = new Principal(options, identity)), this);
    this.#onGivenUp = (reason) => {
      options.log(`A client was disconnected: ${reason}.`);
      end();
    };
  }

  get state(): 'busy' | 'idle' | 'stalled' {
    const open = [...this.#open];
    if (open.some(({ isStalled }) => isStalled)) return 'stalled';
    return open.some((stream) => stream !== this.#unasked.out) ? 'busy' : 'idle';
  }

  /**
   * @param revision of the client, where its requests say
   * @returns false where an id is under way: its answer would have two streams
   */
  post(
    messages: readonly Message[],
    outgoing: ServerResponse,
    headers: Record<string, string>,
    revision = '',
  ): boolean {
    const requests = messages.filter((message) => message.kind === 'request');
    const ids = new Set(requests.map(({ id }) => id));
    if (ids.size < requests.length || requests.some(({ id }) => this.#streams.has(id))) return false;
    if (requests.length === 0) outgoing.writeHead(202, { ...headers, 'mcp-session-id': this.id }).end();
    else {
      const stream: Stream = { out: undefined, sent: 0 };
      this.#connect(stream, outgoing, headers);
      for (const id of ids) this.#streams.set(id, stream);
      const offered = String(requests.find(({ method }) => method === 'initialize')?.params['protocolVersion']);
      if ((handshakeRevisions.includes(offered) ? offered : revision) >= withEmptyEvents) this.#put(stream, '');
    }
    for (const message of messages) this.#client.take(message);
    return true;
  }

  /** Opens the stream for what is sent unasked, or resumes a stream. @returns false where the first is open already */
  listen(outgoing: ServerResponse, headers: Record<string, string>, lastEventId: string | undefined): boolean {
    const isResumed = lastEventId !== undefined;
    const stream = this.#events.get(Number(lastEventId))?.stream ?? this.#unasked;
    if (!isResumed && stream.out) return false;
    stream.out?.end();
    this.#connect(stream, outgoing, headers);
    if (isResumed) stream.sent = Number(lastEventId);
    for (const [id, event] of this.#events)
      if (event.stream === stream && id > stream.sent && event.text !== '') this.#write(stream, event.text, id);
    if (stream !== this.#unasked) this.#endIfAnswered(stream);
    return true;
  }

  send(text: string, related?: RequestId, isAnswer = false): void {
    const stream = (related === undefined ? undefined : this.#streams.get(related)) ?? this.#unasked;
    this.#put(stream, text);
    if (isAnswer && related !== undefined) this.drop(related);
  }

  drop(related: RequestId): void {
    const stream = this.#streams.get(related);
    this.#streams.delete(related);
    if (stream) this.#endIfAnswered(stream);
  }

  pause(related: RequestId): void {
    this.#streams.get(related)?.out?.end();
  }

  async close(): Promise<void> {
    this.#client.close();
    for (const stream of this.#open) stream.end();
    await this.#principal?.close();
  }

  #connect(stream: Stream, outgoing: ServerResponse, headers: Record<string, string>): void {
    const out = new EventStream(outgoing, { ...headers, 'mcp-session-id': this.id }, this.#onGivenUp);
    stream.out = out;
    this.#open.add(out);
    outgoing.once('close', () => {
      this.#open.delete(out);
      if (stream.out === out) stream.out = undefined;
    });
  }

  #endIfAnswered(stream: Stream): void {
    if (![...this.#streams.values()].includes(stream)) stream.out?.end();
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
    stream.out.send(text, id);
    stream.sent = id;
  }
}
