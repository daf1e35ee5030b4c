import { connect } from 'node:net';
import type { Duplex } from 'node:stream';

/** Connects a proxy's tunnel to the server at this port, whatever host it names. */
export function passOn(socket: Duplex, port: number): void {
  const onwards = connect(port, '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    onwards.pipe(socket).pipe(onwards);
  });
  for (const end of [socket, onwards]) end.on('error', () => {});
}
