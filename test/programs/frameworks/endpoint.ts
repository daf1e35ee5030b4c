import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { formatOf } from '../../../src/observe/formats.js';
import { played, type Reply } from '../../../src/observe/play.js';

/** A model's endpoint on loopback. It answers in the API of each request. */
export interface Endpoint extends AsyncDisposable {
  readonly url: string;
  /** The bodies of its requests, unchanged. */
  readonly bodies: string[];
  /** The next answers in order; "found" if none is left. */
  replies: Reply[];
}

export async function startEndpoint(): Promise<Endpoint> {
  const bodies: string[] = [];
  const http = createServer((request, response) => {
    void text(request).then((body) => {
      const path = request.url ?? '/';
      const format = formatOf(new URL(path, 'http://model').pathname);
      if (!format) return response.writeHead(404).end();
      bodies.push(body);
      const { type, text: answer } = played(
        format.name,
        endpoint.replies.shift() ?? { text: 'found' },
        JSON.parse(body),
        path,
      );
      response.writeHead(200, { 'content-type': type }).end(answer);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo; // a TCP server's address is never a string
  const endpoint: Endpoint = {
    url: `http://127.0.0.1:${port}/v1`,
    bodies,
    replies: [],
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  return endpoint;
}
