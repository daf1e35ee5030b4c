import type { ServerResponse } from 'node:http';
import { Outbox } from '../outbox.js';

/** How often a silent stream sends a comment, for proxies in between that close silent connections: milliseconds. */
const keepAliveMs = 25_000;

/** A response of events, each a message. */
export class EventStream {
  readonly #outbox: Outbox;
  readonly #timer: NodeJS.Timeout;

  constructor(outgoing: ServerResponse, headers: Record<string, string>, onGivenUp: (reason: string) => void) {
    outgoing.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    outgoing.flushHeaders();
    this.#outbox = new Outbox(outgoing, onGivenUp);
    this.#timer = setInterval(() => {
      this.#outbox.write(':\n\n');
    }, keepAliveMs);
    this.#timer.unref();
    outgoing.once('close', () => {
      clearInterval(this.#timer);
    });
  }

  get isStalled(): boolean {
    return this.#outbox.isStalled;
  }

  /** @param id where the stream can be resumed; an empty message says only that, and when to come back */
  send(text: string, id?: number): void {
    const lines = [`id: ${id}`, text === '' ? 'retry: 1000' : 'event: message', `data: ${text}`];
    this.#outbox.write(`${lines.slice(id === undefined ? 1 : 0).join('\n')}\n\n`);
  }

  end(): void {
    clearInterval(this.#timer);
    this.#outbox.end();
  }
}
