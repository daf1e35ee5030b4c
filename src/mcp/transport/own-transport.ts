import { jsonText, messageOf, parseJson } from '../../json/index.js';
import type { McpError } from '../errors/errors.js';
import { connectionLost, messageTooLarge } from '../errors/wire-problem.js';
import type { Receiver, Transport } from './transport.js';

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

/** Like a process: one channel for all messages, and no response that belongs to a request. */
export function ownTransport(given: ClientTransport, maxMessageBytes: number): Transport {
  let receiver: Receiver | undefined;
  const end = (failure: McpError) => {
    const ended = receiver;
    receiver = undefined;
    ended?.ended(failure);
  };
  const read = (message: unknown) => {
    const text = typeof message === 'string' ? message : jsonText(message);
    if (text.length <= maxMessageBytes) receiver?.receive(text);
    else {
      end(messageTooLarge(maxMessageBytes));
      void transport.close();
    }
  };
  const transport: Transport = {
    kind: 'stdio',
    set protocolVersion(revision: string | undefined) {
      if (revision !== undefined) given.setProtocolVersion?.(revision);
    },
    async start(wanted) {
      receiver = wanted;
      let problem: Error | undefined;
      Object.assign(given, {
        onmessage: read,
        onerror: (error: Error) => (problem = error),
        onclose: () => end(lost(problem)),
      });
      await given.start();
    },
    async send({ text, onWritten }) {
      onWritten?.();
      await given.send(parseJson(text) as never, { text }); // an object, as every implementation expects
      return undefined;
    },
    async close() {
      receiver = undefined;
      await given.close().catch(() => undefined);
    },
  };
  return transport;
}

function lost(problem: Error | undefined): McpError {
  const title = problem ? 'The transport has closed:' : 'The transport has closed.';
  return connectionLost(title, 'Connect again, with a new transport.', problem && messageOf(problem));
}
