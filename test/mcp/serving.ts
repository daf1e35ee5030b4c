import type { AddressInfo, Server } from 'node:net';
import { afterEach } from 'vitest';
import { connect, type ConnectOptions, type HttpAddress, type Session } from '../../src/mcp/index.js';
import { startHttpServer, type Exchange, type HttpServer } from '../../test-support/servers/http.js';
import { textOf, toolNamed } from './calling.js';

const running: { close(): unknown }[] = [];

/** Closes everything that a test has opened, latest first. Call it once in a test file. */
export function closeAfterEach(): void {
  afterEach(async () => {
    for (const resource of running.splice(0).reverse()) await resource.close();
  });
}

export function closeLater(resource: { close(): unknown }): void {
  running.push(resource);
}

/** Makes a server listen on a port of this machine until the test ends. */
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
export async function given(...answers: Parameters<typeof startHttpServer>): Promise<HttpServer> {
  const server = await startHttpServer(...answers);
  closeLater(server);
  return server;
}

/** The answer of a server of 2025-11-25 to a handshake. */
export const begun = { protocolVersion: '2025-11-25', capabilities: {} };

type Answers = Readonly<Record<string, (exchange: Exchange) => unknown>>;

/**
 * A server with sessions (`s1`, `s2`, ...) that knows only the latest one, until it forgets that, too. The function for
 * `initialize` runs before the session begins.
 */
export async function forgetful(
  answers: Answers = {},
  refuse: (exchange: Exchange) => unknown = ({ status }) => status(404),
) {
  let current = 0;
  const server = await given(async (exchange) => {
    const { verb, message, headers, introduce, plain } = exchange;
    if (message.method === 'initialize') await answers['initialize']?.(exchange);
    if (message.method === 'initialize') introduce({}, { 'mcp-session-id': `s${++current}` });
    else if (headers['mcp-session-id'] !== `s${current}`) refuse(exchange);
    else return (answers[verb === 'POST' ? message.method : verb] ?? plain)(exchange);
  });
  const forget = () => {
    current++;
  };
  return { server, forget };
}

/** The number of requests for a method. */
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
