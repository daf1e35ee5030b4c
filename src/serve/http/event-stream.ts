import type { ServerResponse } from 'node:http';
import type { Wire } from '../clients/client.js';
import { codes } from '../errors.js';
import { Outbox } from '../outbox.js';

/** A silent stream sends a comment after so many milliseconds, because proxies close silent connections. */
const keepAliveMs = 25_000;

type OnGivenUp = (reason: string) => void;

export function eventStream(
  outgoing: ServerResponse,
  headers: Record<string, string>,
  onGivenUp: OnGivenUp,
  ofClient?: Set<Outbox>,
): Outbox {
  outgoing.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  outgoing.flushHeaders();
  const outbox = new Outbox(outgoing, onGivenUp, undefined, ofClient);
  const timer = setInterval(() => outbox.write(':\n\n'), keepAliveMs).unref();
  outgoing.once('close', () => clearInterval(timer));
  return outbox;
}

/** @param id the event id to resume from; an empty text makes an event of the id and the retry time alone */
export function eventText(text: string, id?: number): string {
  const lines = [`id: ${id}`, text === '' ? 'retry: 1000' : 'event: message', `data: ${text}`];
  return `${lines.slice(id === undefined ? 1 : 0).join('\n')}\n\n`;
}

/** The response to one request of 2026-07-28: an answer, or events that end with the answer. */
export class ResponseWire implements Wire {
  #events: Outbox | undefined;

  constructor(
    readonly outgoing: ServerResponse,
    readonly headers: Record<string, string>,
    readonly onGivenUp: OnGivenUp,
    readonly ofClient: Set<Outbox>,
  ) {}

  send(text: string): void {
    this.#events ??= eventStream(this.outgoing, this.headers, this.onGivenUp, this.ofClient);
    this.#events.write(eventText(text));
  }

  answer(_related: string, text: string, code = 0): void {
    if (this.#events) {
      this.send(text);
      this.#events.end();
      return;
    }
    // An unknown method is HTTP's Not Found, a missing capability its Bad Request.
    const status = { [codes.methodNotFound]: 404, [codes.missingCapability]: 400 }[code] ?? 200;
    this.outgoing.writeHead(status, { ...this.headers, 'content-type': 'application/json' });
    const outbox = new Outbox(this.outgoing, this.onGivenUp, undefined, this.ofClient);
    outbox.write(text);
    outbox.end();
  }
}
