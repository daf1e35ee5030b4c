import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { selfSigned } from '../../../../../test-support/servers/certificate.js';
import type { Endpoint } from '../models/endpoint.js';

export interface Tunnel extends AsyncDisposable {
  readonly url: string;
  readonly hosts: Set<string>;
}

/**
 * An HTTPS proxy that sends every connection to one endpoint, whatever host it names. For providers whose address no
 * credential can change: n8n is configured to use the proxy and to trust its certificate.
 */
export async function startTunnel(endpoint: Endpoint): Promise<Tunnel> {
  const certificate = selfSigned('loopback');
  const hosts = new Set<string>();
  const sockets = new Set<Socket>();
  const proxy = createServer((_, response) => response.writeHead(502).end());
  proxy.on('connect', (request, socket: Socket) => {
    hosts.add(String(request.url));
    sockets.add(socket);
    socket.on('error', () => {});
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    const secure = new TLSSocket(socket, { isServer: true, ...certificate });
    secure.on('error', () => {});
    endpoint.accept(secure);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo; // a TCP server's address is never a string
  return {
    url: `http://127.0.0.1:${port}`,
    hosts,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
