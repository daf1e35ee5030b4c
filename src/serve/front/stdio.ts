import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, McpServerFactory, Transport } from '@modelcontextprotocol/server';
import { serveStdio as entry } from '@modelcontextprotocol/server/stdio';
import { isObject, type JsonObject, parseJson } from '../../json/index.js';
import { lineSplitter } from '../../mcp/index.js';
import { ClientRelay } from '../client-relay.js';
import type { Hub } from '../hub.js';
import { messageText, readIncoming } from './payload.js';
import { RelayServer } from './relay-server.js';
import { identityInEnvelope, subscribedIn } from '../revisions.js';

/** The longest message that is read, in bytes. */
const longestMessage = 128 * 1024 * 1024;

/** How long answers that are under way are waited for when the client has closed its end. */
const drainMs = 1000;

/**
 * Serves one client over stdin and stdout. Resolves when the client is gone.
 *
 * The SDK's own entry decides by the first message how the client speaks, and serves its subscriptions. Its transport
 * would parse each line and write each message anew, so that nothing could pass as it is written: the one here keeps the
 * text.
 */
export async function serveStdio(
  hub: Hub,
  { stdin, stdout, signal }: { stdin: Readable; stdout: Writable; signal: AbortSignal },
): Promise<void> {
  const wire = new LineTransport(stdin, stdout);
  let relay: ClientRelay | undefined;
  let params: JsonObject = {};
  let subscribe: (uris: readonly string[]) => void = () => {};
  wire.onRead = (message) => {
    params = isObject(message['params']) ? message['params'] : {};
    subscribe(subscribedIn(message));
  };
  const factory: McpServerFactory = async ({ era: which }) => {
    const era = which === 'modern' ? 'stateless' : 'handshake';
    const joined = era === 'stateless' ? hub.behind(identityInEnvelope(params)) : undefined;
    if (joined) {
      subscribe = (uris) => void joined.lists.subscribe(uris).catch(() => {});
      subscribe(subscribedIn({ method: 'subscriptions/listen', params }));
    }
    const introduced = await joined?.introduced();
    return new RelayServer(introduced, (transport) => {
      relay = new ClientRelay({
        ...hub.forClients,
        era,
        ...(joined && { joined }),
        send: (message) => void transport.send(message).catch(() => {}),
        // The entry hands them to those who have subscribed to them, and reads them for that.
        ...(era === 'stateless' && {
          announceChange: (method, params) => void transport.send({ jsonrpc: '2.0', method, params }).catch(() => {}),
        }),
      });
      const current = relay;
      transport.onmessage = (message) => {
        current.take(readIncoming(message, wire.textOf(message)));
      };
      transport.onclose = () => {
        current.close();
      };
    });
  };
  wire.isIdle = () => relay?.isIdle !== false;
  const ended = new Promise<void>((resolve) => {
    wire.onEnd = resolve;
  });
  const handle = entry(factory, {
    transport: wire,
    onerror: (error) => {
      hub.log(error.message);
    },
  });
  const onAbort = () => void handle.close();
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  await ended;
  await handle.close();
}

/** Messages as lines, each kept beside what it says. */
class LineTransport implements Transport {
  onmessage: ((message: JSONRPCMessage) => void) | undefined;
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  /** Called once, when nothing can be read or written any more. */
  onEnd: () => void = () => {};
  isIdle: () => boolean = () => true;
  onRead: (message: JsonObject) => void = () => {};

  readonly #stdin: Readable;
  readonly #stdout: Writable;
  readonly #texts = new WeakMap<object, string>();
  readonly #lines = lineSplitter(
    longestMessage,
    (line) => {
      this.#read(line);
    },
    () => {
      this.onerror?.(new Error(`The client sent a message of more than ${longestMessage} bytes.`));
      void this.close();
    },
  );
  #closed = false;

  constructor(stdin: Readable, stdout: Writable) {
    this.#stdin = stdin;
    this.#stdout = stdout;
  }

  textOf(message: object): string {
    return this.#texts.get(message) ?? JSON.stringify(message);
  }

  start(): Promise<void> {
    this.#stdin.on('data', this.#onData);
    this.#stdin.once('end', this.#onEnd);
    this.#stdin.once('close', this.#onEnd);
    this.#stdin.once('error', this.#onEnd);
    // A client that is gone reads nothing any more.
    this.#stdout.once('error', this.#onBroken);
    this.#stdout.once('close', this.#onBroken);
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#stdout.write(`${messageText(message)}\n`);
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    this.#stdin.off('data', this.#onData);
    this.#stdin.pause();
    this.onclose?.();
    this.onEnd();
    return Promise.resolve();
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#lines.push(chunk);
  };

  readonly #onEnd = (): void => {
    const since = Date.now();
    const wait = () => {
      if (this.#closed) return;
      if (this.isIdle() || Date.now() - since > drainMs) void this.close();
      else setTimeout(wait, 10);
    };
    setImmediate(wait);
  };

  readonly #onBroken = (): void => {
    void this.close();
  };

  #read(line: string): void {
    if (line.trim() === '') return;
    const value = parseJson(line);
    // A batch (2025-03-26) is as good as its messages one after the other.
    const messages = Array.isArray(value) ? value : [value];
    for (const message of messages) {
      if (!isObject(message) || message['jsonrpc'] !== '2.0') {
        this.#stdout.write('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}\n');
        continue;
      }
      this.#texts.set(message, Array.isArray(value) ? JSON.stringify(message) : line);
      this.onRead(message);
      this.onmessage?.(message as JSONRPCMessage); // it says that it is one; what reads it looks at each field
    }
  }
}
