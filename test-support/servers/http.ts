import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { keptOpen } from '../kept-open.js';

interface RpcMessage {
  id?: number | string;
  method: string;
  params?: Record<string, unknown>;
}

/** One HTTP request, with its JSON-RPC message if it is a POST, and functions that answer it. */
export interface Exchange {
  /** The HTTP method. */
  verb: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The request's body as text and, if it is JSON, parsed. */
  text: string;
  body: Record<string, unknown>;
  message: RpcMessage;
  response: ServerResponse;
  /** Answers with JSON. */
  json(value: unknown, headers?: Record<string, string>): void;
  /** Answers the message with a result, as JSON. */
  result(result: object, headers?: Record<string, string>): void;
  /** Answers with a status and a text, or nothing. */
  status(code: number, body?: string, headers?: Record<string, string>): void;
  /** Begins an event stream. The returned function sends one event. */
  stream(): (message: object, id?: string) => void;
  /** Reports progress without an answer until the client disconnects. */
  progress(): void;
  /** Answers a handshake, with these members instead of or besides the usual ones. */
  introduce(more?: object, headers?: Record<string, string>): void;
  /** Answers like a well-behaved server without sessions. */
  plain(): void;
}

export interface HttpServer extends AsyncDisposable {
  url: string;
  origin: string;
  /** Every request so far. */
  seen: Exchange[];
  /** The JSON-RPC methods of the POSTs so far. */
  methods(): string[];
  /** Serves a connection that did not come to its own port. */
  accept(socket: Duplex): void;
  close(): Promise<void>;
}

type Handle = (exchange: Exchange, server: HttpServer) => unknown;

/** By the method of a POST or the verb of another request: the result, `{ error }`, or a function that answers. */
export type Answers = Readonly<Record<string, object | Handle>>;

/**
 * A server over streamable HTTP, at this port or any. A function answers each request; answers by method replace those
 * of a well-behaved server without sessions.
 */
export async function startHttpServer(handle: Handle | Answers, port = 0): Promise<HttpServer> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const exchange = exchangeOf(request, await text(request).catch(() => ''), response);
    server.seen.push(exchange);
    await (typeof handle === 'function' ? handle : byMethod(handle, exchange))(exchange, server);
  };
  const listener = createServer(keptOpen, (request, response) => void answer(request, response));
  await new Promise<void>((resolve) => listener.listen(port, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const server: HttpServer = {
    origin,
    url: `${origin}/mcp`,
    seen: [],
    methods: () => server.seen.filter(({ verb }) => verb === 'POST').map(({ message }) => message.method),
    accept: (socket) => void listener.emit('connection', socket),
    close: () =>
      new Promise((resolve) => {
        listener.close(() => resolve());
        listener.closeAllConnections();
      }),
    [Symbol.asyncDispose]: () => server.close(),
  };
  return server;
}

function byMethod(answers: Answers, { verb, message, plain, result, json }: Exchange): Handle {
  const own = answers[verb === 'POST' ? message.method : verb] ?? plain;
  if (typeof own === 'function') return own as Handle;
  return () => ('error' in own ? json({ jsonrpc: '2.0', id: message.id, ...own }) : result(own));
}

function exchangeOf(request: IncomingMessage, text: string, response: ServerResponse): Exchange {
  const body = (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>;
  const message = { method: '', ...body } as RpcMessage;
  const exchange: Exchange = {
    verb: request.method!,
    path: request.url!,
    headers: request.headers,
    text,
    body,
    message,
    response,
    json: (value, more = {}) =>
      void response.writeHead(200, { 'content-type': 'application/json', ...more }).end(JSON.stringify(value)),
    result: (result, more) => exchange.json({ jsonrpc: '2.0', id: message.id, result }, more),
    status: (code, body = '', more = {}) => void response.writeHead(code, more).end(body),
    stream() {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      return (event, id) =>
        void response.write(
          `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify({ jsonrpc: '2.0', ...event })}\n\n`,
        );
    },
    progress() {
      const send = exchange.stream();
      const { progressToken } = (message.params?.['_meta'] ?? {}) as { progressToken?: unknown };
      const report = () => send({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
      const timer = setInterval(report, 50);
      response.once('close', () => clearInterval(timer));
    },
    introduce(more, headers) {
      const { protocolVersion } = message.params ?? {};
      const serverInfo = { name: 'http', version: '1' };
      exchange.result({ protocolVersion, capabilities: { tools: {} }, serverInfo, ...more }, headers);
    },
    plain: () => answerPlainly(exchange),
  };
  return exchange;
}

/** A tool for every test, and the answer to `tools/call`: the arguments. */
const tools = [{ name: 'echo', inputSchema: { type: 'object' } }];

function answerPlainly({ verb, message, introduce, result, status }: Exchange): void {
  if (verb === 'DELETE') {
    status(200);
    return;
  }
  if (verb !== 'POST') {
    status(405);
    return;
  }
  const { method, params = {} } = message;
  if (method === 'initialize') {
    introduce();
    return;
  }
  if (method === 'ping') {
    result({});
    return;
  }
  if (method === 'tools/list') {
    result({ tools });
    return;
  }
  if (method === 'tools/call') {
    result({ content: [{ type: 'text', text: JSON.stringify(params['arguments']) }] });
    return;
  }
  status(202);
}
