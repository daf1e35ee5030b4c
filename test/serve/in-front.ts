import { PassThrough } from 'node:stream';
import { createInterface } from 'node:readline';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { ServerAddress } from '../../src/internal.js';
import { type HttpOptions, type NamedServer, serveHttp, type ServeOptions, serveStdio } from '../../src/serve/index.js';

export interface InFront {
  /** What the client reads, line by line. */
  readonly lines: string[];
  readonly log: string[];
  write(line: string): void;
  /** Resolves with the first line, from now or before, that this holds for. */
  line(holds: (message: Record<string, unknown>) => boolean): Promise<string>;
  /** For a client of the official SDK, 1.x. */
  readonly transport: Transport;
  /** Resolves when serving is over. */
  readonly over: Promise<void>;
  /** The client closes its end. */
  hangUp(): void;
  /** The client reads nothing any more. */
  stopReading(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** `mcp-verbatim serve` in this process, over streams in place of stdin and stdout. */
export function inFront(
  servers: ServerAddress | Record<string, ServerAddress>,
  { fixed, maxResultLength, approved, ...options }: Partial<ServeOptions & Omit<NamedServer, 'name' | 'address'>> = {},
): InFront {
  const named = isAddress(servers) ? { server: servers } : servers;
  const log: string[] = [];
  const served: ServeOptions = {
    servers: Object.entries(named).map(([name, address]) => ({
      name,
      address,
      approved,
      ...(fixed && { fixed }),
      ...(maxResultLength !== undefined && { maxResultLength }),
    })),
    tool: {},
    ...options,
    idleTimeoutMs: 30_000,
    log: (line) => log.push(line),
  };
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const stop = new AbortController();
  const over = serveStdio(served, { stdin, stdout, signal: stop.signal });
  const lines: string[] = [];
  const messages: Record<string, unknown>[] = [];
  const waiting = new Set<() => void>();
  const transport: Transport = {
    start: () => Promise.resolve(),
    send: (message) => {
      stdin.write(`${JSON.stringify(message)}\n`);
      return Promise.resolve();
    },
    close: () => {
      stdin.end();
      return Promise.resolve();
    },
  };
  const reading = createInterface({ input: stdout }).on('line', (line) => {
    lines.push(line);
    messages.push(JSON.parse(line) as Record<string, unknown>);
    // One after the other: the SDK's client drops a report of progress that comes together with the answer.
    setImmediate(() => transport.onmessage?.(JSON.parse(line) as JSONRPCMessage));
    for (const look of waiting) look();
  });
  return {
    lines,
    log,
    transport,
    over,
    write: (line) => stdin.write(`${line}\n`),
    line: (holds) =>
      new Promise((resolve) => {
        let seen = 0;
        const look = () => {
          const next = messages.slice(seen).findIndex(holds);
          const found = next < 0 ? undefined : lines[seen + next];
          seen = lines.length;
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    hangUp: () => stdin.end(),
    stopReading: () => reading.pause(),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await over;
    },
  };
}

/** The same, where the client has already sent its handshake. */
export function greeted(...args: Parameters<typeof inFront>): InFront {
  const gateway = inFront(...args);
  for (const line of handshake) gateway.write(line);
  return gateway;
}

/** `mcp-verbatim serve --port` in this process. */
export async function inFrontOverHttp(
  servers: Record<string, ServerAddress>,
  http: Partial<HttpOptions> = {},
  options: Partial<ServeOptions> = {},
): Promise<AsyncDisposable & { readonly url: string; readonly log: readonly string[] }> {
  const log: string[] = [];
  const served: ServeOptions = {
    servers: Object.entries(servers).map(([name, address]) => ({ name, address })),
    tool: {},
    idleTimeoutMs: 30_000,
    log: (line) => log.push(line),
    ...options,
  };
  const stop = new AbortController();
  let over = Promise.resolve();
  const url = await new Promise<string>((resolve, reject) => {
    const door = { port: 0, host: '127.0.0.1', tokens: [], origins: [], ...http };
    over = serveHttp(served, { ...door, signal: stop.signal, onListening: resolve });
    over.catch(reject);
  });
  return {
    url,
    log,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await over;
    },
  };
}

function isAddress(servers: object): servers is ServerAddress {
  return 'url' in servers || 'command' in servers;
}

/** What a client of 2025-11-25 begins with. */
export const handshake = [
  '{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{},"roots":{}},"clientInfo":{"name":"test","version":"1"}}}',
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
];
