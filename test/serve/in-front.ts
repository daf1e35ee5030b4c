import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { ServerAddress } from '../../src/internal.js';
import { type HttpOptions, type NamedServer, serveHttp, type ServeOptions, serveStdio } from '../../src/serve/index.js';

export type InFront = ReturnType<typeof inFront>;

/** `mcp-verbatim serve` in this process, over streams in place of stdin and stdout. */
export function inFront(
  servers: ServerAddress | Record<string, ServerAddress>,
  { fixed, maxResultLength, approved, ...options }: Partial<ServeOptions & Omit<NamedServer, 'name' | 'address'>> = {},
) {
  const named = isAddress(servers) ? { server: servers } : servers;
  const log: string[] = [];
  const served: ServeOptions = {
    servers: Object.entries(named).map(([name, address]) => ({ name, address, approved, fixed, maxResultLength })),
    tool: {},
    ...options,
    idleTimeoutMs: 30_000,
    log: (line) => log.push(line),
  };
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const stop = new AbortController();
  const over = serveStdio(served, { stdin, stdout, signal: stop.signal });
  const write = (line: string) => stdin.write(`${line}\n`);
  const lines: string[] = [];
  const messages: Record<string, unknown>[] = [];
  const waiting: (() => void)[] = [];
  /** For a client of the official SDK, 1.x. */
  const transport: Transport = {
    start: () => Promise.resolve(),
    send: (message) => Promise.resolve(void write(JSON.stringify(message))),
    close: () => Promise.resolve(void stdin.end()),
  };
  const reading = createInterface({ input: stdout }).on('line', (line) => {
    lines.push(line);
    messages.push(JSON.parse(line) as Record<string, unknown>);
    // One after the other: the SDK's client drops a report of progress that comes together with the answer.
    setImmediate(() => transport.onmessage?.(JSON.parse(line) as JSONRPCMessage));
    for (const goOn of waiting.splice(0)) goOn();
  });
  return {
    /** What the client reads. */
    lines,
    log,
    transport,
    /** Resolves when serving is over. */
    over,
    write,
    /** Resolves with the first line, from now or before, that this holds for. */
    async line(holds: (message: Record<string, unknown>) => boolean): Promise<string> {
      for (let at = 0; ; at++) {
        if (at === lines.length) await new Promise<void>((resolve) => waiting.push(resolve));
        if (holds(messages[at]!)) return lines[at]!;
      }
    },
    /** The client closes its end. */
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
) {
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

/** Sends a request to a gateway over stdio. @returns the line that answers it */
export function asked(gateway: InFront, method: string, params: object = {}, id: number | string = ++lastId) {
  gateway.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  return gateway.line((message) => message['id'] === id && message['method'] === undefined);
}
let lastId = 1000;

export function program(...args: string[]) {
  return { transport: 'stdio' as const, command: process.execPath, args };
}

export const echoing = program(fileURLToPath(new URL('./echoing.mjs', import.meta.url)));
export const everything = program(
  fileURLToPath(new URL('../conformance/mcp/everything.mjs', import.meta.url)),
  'stdio',
);

/**
 * A server of 2025-11-25 in a program of its own.
 *
 * @param results members of an object, by method, where `params` are those of the request
 * @param otherwise what it does with each message before; `print` sends one
 */
export function scripted(results: string, otherwise = '', capabilities = 'tools: {}') {
  return program(
    '-e',
    `const print = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
    require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params, result, error } = JSON.parse(line);
      const answers = {
        initialize: { protocolVersion: params?.protocolVersion, capabilities: { ${capabilities} }, serverInfo: { name: String(process.pid), version: '1' } },
        ${results}
      };
      ${otherwise}
      if (id === undefined || method === undefined) return;
      print({ id, ...(answers[method] ? { result: answers[method] } : { error: { code: -32601, message: 'Method not found' } }) });
    });`,
  );
}
