import type { AddressInfo, Server } from 'node:net';
import { afterEach } from 'vitest';
import { connect, type ConnectOptions, type HttpAddress, type Session } from '../../src/mcp/index.js';
import { startHttpServer, type Exchange, type HttpServer } from '../../test-support/servers/http.js';
import { textOf, toolNamed } from './calling.js';

const running: { close(): unknown }[] = [];

/** To be called once in a test file: closes what its tests have opened, the latest first. */
export function closeAfterEach(): void {
  afterEach(async () => {
    for (const resource of running.splice(0).reverse()) await resource.close();
  });
}

export function closeLater(resource: { close(): unknown }): void {
  running.push(resource);
}

/** Has a server listen on a port of this machine until the test is over. */
export async function listening(
  server: Server & { closeAllConnections?(): void },
  host = '127.0.0.1',
): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  closeLater({
    close: () => {
      server.closeAllConnections?.();
      server.close();
    },
  });
  return (server.address() as AddressInfo).port;
}

/** A server that is closed after the test. */
export async function given(handle: (exchange: Exchange, server: HttpServer) => unknown): Promise<HttpServer> {
  const server = await startHttpServer(handle);
  closeLater(server);
  return server;
}

/** What a server of 2025-11-25 answers to a handshake. */
export const begun = { protocolVersion: '2025-11-25', capabilities: {} };

type Answers = Readonly<Record<string, (exchange: Exchange) => unknown>>;

/** A server that answers these methods, or a GET, as the functions say, and all else plainly. */
export const answering = (answers: Answers): Promise<HttpServer> =>
  given((exchange) =>
    (answers[exchange.verb === 'POST' ? exchange.message.method : exchange.verb] ?? exchange.plain)(exchange),
  );

/**
 * A server of sessions (`s1`, `s2`, ...) that knows the last one, until it forgets it as well. What is to be done at
 * `initialize` is done before the session begins.
 */
export async function forgetful(
  answers: Answers = {},
  refuse: (exchange: Exchange) => unknown = ({ status }) => status(404),
) {
  let current = 0;
  const server = await given(async (exchange) => {
    const { verb, message, headers, result, plain } = exchange;
    if (message.method === 'initialize') await answers['initialize']?.(exchange);
    if (message.method === 'initialize')
      result({ ...begun, serverInfo: { name: 'forgetful', version: '1' } }, { 'mcp-session-id': `s${++current}` });
    else if (headers['mcp-session-id'] !== `s${current}`) refuse(exchange);
    else return (answers[verb === 'POST' ? message.method : verb] ?? plain)(exchange);
  });
  const forget = () => {
    current++;
  };
  return { server, forget };
}

/** How often a method was asked for. */
export const times = (server: HttpServer, method: string): number =>
  server.methods().filter((each) => each === method).length;

/** A session that is closed after the test. */
export async function connected(
  server: HttpServer,
  options?: ConnectOptions,
  address: Partial<HttpAddress> = {},
): Promise<Session> {
  const session = await connect({ url: server.url, ...address }, options);
  closeLater(session);
  return session;
}

export function echo(session: Session, args: Record<string, unknown> = { a: 1 }): Promise<string> {
  return session.callTool(toolNamed('echo'), args).then(textOf);
}
