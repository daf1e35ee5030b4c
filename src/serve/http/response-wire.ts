import type { ServerResponse } from 'node:http';
import type { RequestId } from '../../mcp/index.js';
import type { Wire } from '../clients/client.js';
import { codes } from '../errors.js';
import { Outbox } from '../outbox.js';
import { EventStream } from './event-stream.js';

/** The response to one request of 2026-07-28: an answer, or events of which the answer is the last. */
export class ResponseWire implements Wire {
  #events: EventStream | undefined;

  constructor(
    readonly outgoing: ServerResponse,
    readonly headers: Record<string, string>,
    readonly onGivenUp: (reason: string) => void,
  ) {}

  send(text: string): void {
    this.#events ??= new EventStream(this.outgoing, this.headers, this.onGivenUp);
    this.#events.send(text);
  }

  answer(_id: RequestId, text: string, code = 0): void {
    if (this.#events) {
      this.#events.send(text);
      this.#events.end();
      return;
    }
    // What a server does not know is HTTP's Not Found, and what a client cannot do its Bad Request.
    const status = { [codes.methodNotFound]: 404, [codes.missingCapability]: 400 }[code] ?? 200;
    this.outgoing.writeHead(status, { ...this.headers, 'content-type': 'application/json' });
    const outbox = new Outbox(this.outgoing, this.onGivenUp);
    outbox.write(text);
    outbox.end();
  }
}
