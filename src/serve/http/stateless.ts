import type { ServerResponse } from 'node:http';
import type { Message } from '../../mcp/index.js';
import { Client, maxUnderWay, maxUnderWayLength, type Wire } from '../clients/client.js';
import { codes } from '../errors.js';
import { Outbox } from '../outbox.js';
import type { Principal } from '../principal.js';
import { EventStream } from './event-stream.js';
import type { OpenSession } from './open-sessions.js';

/** A principal of 2026-07-28: each request of its clients is answered in its own response, and has no other state. */
export class StatelessPrincipal implements OpenSession {
  readonly #principal: Principal;
  readonly #log: (line: string) => void;
  #responses = 0;
  /** Of the requests that are not answered, in characters. */
  #length = 0;

  constructor(principal: Principal, log: (line: string) => void) {
    this.#principal = principal;
    this.#log = log;
  }

  get state(): 'busy' | 'idle' {
    return this.#responses > 0 ? 'busy' : 'idle';
  }

  /** @returns false where too many requests are under way */
  post(
    message: Extract<Message, { kind: 'request' }>,
    outgoing: ServerResponse,
    headers: Record<string, string>,
  ): boolean {
    const { length } = message.wire.text;
    if (this.#responses >= maxUnderWay || this.#length + length > maxUnderWayLength) return false;
    const onGivenUp = (reason: string) => {
      this.#log(`A client was disconnected: ${reason}.`);
    };
    const client = new Client(this.#principal, new ResponseWire(outgoing, headers, onGivenUp));
    this.#responses++;
    this.#length += length;
    outgoing.once('close', () => {
      this.#responses--;
      this.#length -= length;
      client.close();
    });
    client.take(message);
    return true;
  }

  close(): Promise<void> {
    return this.#principal.close();
  }
}

/** The response to one request: an answer, or events of which the answer is the last. */
class ResponseWire implements Wire {
  #events: EventStream | undefined;

  constructor(
    readonly outgoing: ServerResponse,
    readonly headers: Record<string, string>,
    readonly onGivenUp: (reason: string) => void,
  ) {}

  send(text: string, _related: unknown, isAnswer = false): void {
    const { outgoing, headers, onGivenUp } = this;
    if (isAnswer && !this.#events) {
      outgoing.writeHead(statusOf(text), { ...headers, 'content-type': 'application/json' });
      const outbox = new Outbox(outgoing, onGivenUp);
      outbox.write(text);
      outbox.end();
      return;
    }
    this.#events ??= new EventStream(outgoing, headers, onGivenUp);
    this.#events.send(text);
    if (isAnswer) this.#events.end();
  }
}

/** What a server does not know is HTTP's Not Found in 2026-07-28, and what a client cannot do its Bad Request. */
function statusOf(answer: string): number {
  const [, code] = /^\{"jsonrpc":"2\.0","id":(?:\d+|"(?:[^"\\]|\\.)*"),"error":\{"code":(-?\d+)/.exec(answer) ?? [];
  return { [codes.methodNotFound]: 404, [-32021]: 400 }[Number(code)] ?? 200;
}
