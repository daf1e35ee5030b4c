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

/** A server that answers these methods as the functions say, and all else plainly. */
export const answering = (answers: Readonly<Record<string, (exchange: Exchange) => unknown>>): Promise<HttpServer> =>
  given((exchange) => (answers[exchange.message.method] ?? exchange.plain)(exchange));

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
