import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { ServerAddress, ToolPolicy } from '../../src/internal.js';
import {
  type HttpOptions,
  logLine,
  type NamedServer,
  serveHttp,
  type ServeOptions,
  serveStdio,
} from '../../src/serve/index.js';
import { serverCode } from '../../test-support/servers/code.js';
import { type ReplayServer, startReplayServer } from '../../test-support/servers/replay.js';

export { envelope } from './envelope.js';

export type InFront = ReturnType<typeof inFront>;

/** The members of a client's messages that tests read. */
export interface Received {
  readonly id?: number | string;
  readonly method?: string;
  readonly params: { readonly message?: string; readonly data?: unknown; readonly requestId?: number };
  readonly result: {
    readonly tools: readonly { readonly name: string; readonly description: string; readonly inputSchema: object }[];
    readonly content: readonly { readonly text: string }[];
    readonly structuredContent?: object;
    readonly isError?: boolean;
    readonly instructions?: string;
    readonly inputRequests: object;
    readonly requestState: string;
  };
  readonly error?: { readonly code: number; readonly message: string };
}

type Servers = ServerAddress | Record<string, ServerAddress>;
type Options = Partial<ServeOptions & Pick<NamedServer, 'maxResultLength'> & Pick<ToolPolicy, 'fixed' | 'approved'>>;

function served(servers: Servers, { fixed, maxResultLength, approved, ...options }: Options, log: string[]) {
  const named = 'url' in servers || 'command' in servers ? { server: servers as ServerAddress } : servers;
  return {
    servers: Object.entries(named).map(([name, address]) => {
      return { name, address, policy: { approved, fixed }, maxResultLength };
    }),
    tool: {},
    log: (...entry: Parameters<ServeOptions['log']>) => log.push(logLine('text', ...entry).replace(/^\S+ /, '')),
    ...options,
  };
}

/** `mcp-verbatim serve` in this process, over streams in place of stdin and stdout. */
export function inFront(servers: Servers, options: Options = {}) {
  const log: string[] = [];
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const stop = new AbortController();
  const over = serveStdio(served(servers, options, log), { stdin, stdout, signal: stop.signal, graceMs: 1 });
  const write = (line: string) => stdin.write(`${line}\n`);
  const lines: string[] = [];
  const messages: Received[] = [];
  const waiting: (() => void)[] = [];
  /** For a client of the official SDK 1.x. */
  const transport: Transport = {
    start: () => Promise.resolve(),
    send: (message) => Promise.resolve(void write(JSON.stringify(message))),
    close: () => Promise.resolve(void stdin.end()),
  };
  // In Node 24, readline ends a line at U+2028, too.
  let rest = '';
  stdout.setEncoding('utf8').on('data', (text: string) => {
    const received = (rest + text).split('\n');
    rest = received.pop() ?? '';
    for (const line of received) {
      lines.push(line);
      messages.push(JSON.parse(line) as Received);
      // One message per turn: the SDK's client drops progress that arrives together with the answer.
      setImmediate(() => transport.onmessage?.(JSON.parse(line) as JSONRPCMessage));
    }
    for (const goOn of waiting.splice(0)) goOn();
  });
  /** Resolves with the number of the first matching line, past or future. */
  async function found(holds: (message: Received) => boolean): Promise<number> {
    for (let at = 0; ; at++) {
      if (at === lines.length) await new Promise<void>((resolve) => waiting.push(resolve));
      if (holds(messages[at]!)) return at;
    }
  }
  return {
    /** The lines that the client reads. */
    lines,
    log,
    transport,
    /** Resolves when serving is over. */
    over,
    write,
    line: async (holds: (message: Received) => boolean) => lines[await found(holds)]!,
    message: async (holds: (message: Received) => boolean) => messages[await found(holds)]!,
    /** The client closes its end. */
    hangUp: () => stdin.end(),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await over;
    },
  };
}

/** The same after the client's handshake. */
export function greeted(...args: Parameters<typeof inFront>): InFront {
  const gateway = inFront(...args);
  for (const line of handshake) gateway.write(line);
  return gateway;
}

/** `mcp-verbatim serve --port` in this process. */
export async function inFrontOverHttp(servers: Servers, http: Partial<HttpOptions> = {}, options: Options = {}) {
  const log: string[] = [];
  const stop = new AbortController();
  let over = Promise.resolve();
  const url = await new Promise<string>((resolve, reject) => {
    const door = { port: 0, host: '127.0.0.1', graceMs: 1, origins: [], ...http };
    over = serveHttp(served(servers, options, log), { ...door, signal: stop.signal, onListening: resolve });
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

/** The first messages of a client of 2025-11-25. */
export const handshake = [
  '{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{},"roots":{}},"clientInfo":{"name":"test","version":"1"}}}',
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
];

/** Sends a request to a gateway over stdio. @returns the line that answers it */
export function asked(gateway: InFront, method: string, params: object = {}, id: number | string = ++lastId) {
  gateway.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  return gateway.line((message) => message.id === id && message.method === undefined);
}
let lastId = 1000;

export async function answered(...request: Parameters<typeof asked>): Promise<Received> {
  return JSON.parse(await asked(...request)) as Received;
}

export function called(gateway: InFront, name: string, args: object = {}): Promise<string> {
  return asked(gateway, 'tools/call', { name, arguments: args });
}

export async function namesOf(gateway: InFront): Promise<string[]> {
  return (await answered(gateway, 'tools/list')).result.tools.map(({ name }) => name);
}

/** A server for all tests of a file, which lists these texts of tools at the path with their name. */
export function replaying(tools: Record<string, readonly string[]>) {
  let server: ReplayServer;
  beforeAll(async () => {
    const lists = Object.entries(tools).map(([name, texts]): [string, string[]] => [
      name,
      [`{"jsonrpc":"2.0","id":0,"result":{"tools":[${texts.join(',')}]}}`],
    ]);
    server = await startReplayServer(Object.fromEntries(lists));
  });
  beforeEach(() => {
    server.forget();
  });
  afterAll(() => server.close());
  const requests = (name: string, of?: string) =>
    server.requests(name).filter(({ method }) => method === (of ?? method));
  return {
    at: (name: string) => ({ url: server.url(name) }),
    /** The requests that it got in this test. */
    requests,
    /** The params of the calls among them. */
    calls: (name: string) => requests(name, 'tools/call').map(({ params }) => params),
  };
}

export function program(...args: string[]) {
  return { transport: 'stdio' as const, command: process.execPath, args };
}

export const echoing = program(fileURLToPath(new URL('./echoing.mjs', import.meta.url)));
export const everything = program(
  fileURLToPath(new URL('../conformance/mcp/everything.mjs', import.meta.url)),
  'stdio',
);

/**
 * A server of 2025-11-25 in its own program.
 *
 * @param results members of an object, by method; `params` are the request's
 * @param otherwise code that runs before, for each message; `print` sends one
 */
export function scripted(results: string, otherwise?: string, capabilities?: string) {
  return program('-e', serverCode({ results, otherwise, capabilities }));
}
