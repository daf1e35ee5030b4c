import { jsonText, messageOf, parseJson } from '../../json/index.js';
import { ConnectionError, type McpError } from '../errors/errors.js';
import { messageTooLarge } from '../errors/wire-problem.js';
import type { Outgoing, Receiver, Transport } from './transport.js';

/**
 * A custom transport to a server, in the shape of the MCP SDK's `Transport`, whose implementations (in memory,
 * WebSocket) fit unchanged. A transport that delivers texts rather than parsed messages keeps information that parsing
 * loses: integers beyond 2^53, the order of names that look like numbers.
 */
export interface ClientTransport {
  /** Called once; messages are sent when it resolves. */
  start(): Promise<void>;
  /** @param about `text`: the message's exact text for the wire, if the transport writes texts */
  send(message: never, about?: SentText): Promise<void>;
  close(): Promise<void>;
  /** Set by the client: to be called with each message of the server, as JSON text or parsed. */
  onmessage?: ((message: never) => void) | undefined;
  /** Set by the client: to be called when nothing more will come. */
  onclose?: (() => void) | undefined;
  /** Set by the client; call it with the error, before `onclose`. */
  onerror?: ((error: Error) => void) | undefined;
  /** Called with the protocol revision, once it is agreed upon. */
  setProtocolVersion?: ((revision: string) => void) | undefined;
}

/** A message as JSON text. */
export interface SentText {
  readonly text: string;
  readonly relatedRequestId?: never;
}

export function isClientTransport(server: object): server is ClientTransport {
  return ['start', 'send', 'close'].every((name) => typeof (server as Record<string, unknown>)[name] === 'function');
}

export class OwnTransport implements Transport {
  /** Like a process: one channel for all messages, and no response that belongs to a request. */
  readonly kind = 'stdio';
  #receiver: Receiver | undefined;

  constructor(
    readonly given: ClientTransport,
    readonly maxMessageBytes: number,
  ) {}

  set protocolVersion(revision: string | undefined) {
    if (revision !== undefined) this.given.setProtocolVersion?.(revision);
  }

  async start(receiver: Receiver): Promise<void> {
    this.#receiver = receiver;
    let problem: Error | undefined;
    Object.assign(this.given, {
      onmessage: (message: unknown) => this.#read(message),
      onerror: (error: Error) => {
        problem = error;
      },
      onclose: () => this.#end(lost(problem)),
    });
    await this.given.start();
  }

  async send({ text, onWritten }: Outgoing): Promise<undefined> {
    onWritten?.();
    await this.given.send(parseJson(text) as never, { text }); // an object, as every implementation expects
  }

  async close(): Promise<void> {
    this.#receiver = undefined;
    await this.given.close().catch(() => {});
  }

  #read(message: unknown): void {
    const text = typeof message === 'string' ? message : jsonText(message);
    if (text.length <= this.maxMessageBytes) {
      this.#receiver?.receive(text);
      return;
    }
    this.#end(messageTooLarge(this.maxMessageBytes));
    void this.close();
  }

  #end(failure: McpError): void {
    const receiver = this.#receiver;
    this.#receiver = undefined;
    receiver?.ended(failure);
  }
}

function lost(problem: Error | undefined): ConnectionError {
  return new ConnectionError(problem ? 'The transport has closed:' : 'The transport has closed.', {
    code: 'CONNECTION_LOST',
    ...(problem && { details: messageOf(problem) }),
    hint: 'Connect again, with a new transport.',
  });
}
