import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf, parseJson } from '../../json/index.js';
import type { Hub } from '../hub.js';
import { HttpClients, refused } from './http-clients.js';
import { refusal, type Door } from './http-guard.js';
import { withPayloads } from './payload.js';

interface HttpOptions extends Door {
  /** 0 takes any that is free. */
  readonly port: number;
  readonly signal: AbortSignal;
  /** Called with the address that clients are given, once they can come. */
  readonly onListening: (url: string) => void;
}

/** The longest message that is read, in bytes. */
const longestMessage = 32 * 1024 * 1024;

/** Serves any number of clients over streamable HTTP. Resolves once the signal is aborted and all is closed. */
export async function serveHttp(hub: Hub, { port, host, token, signal, onListening }: HttpOptions): Promise<void> {
  const clients = new HttpClients(hub);
  const server = createServer((incoming, outgoing) => {
    void answer(incoming, outgoing, { host, token }, clients).catch((error: unknown) => {
      hub.log(messageOf(error));
      outgoing.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { address, family, port: taken } = server.address() as AddressInfo; // it listens on a port
  onListening(`http://${family === 'IPv6' ? `[${address}]` : address}:${taken}/mcp`);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => {
      resolve();
    });
  });
  const closed = new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
  await clients.close();
  server.closeAllConnections();
  await closed;
}

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  door: Door,
  clients: HttpClients,
): Promise<void> {
  const turnedAway = refusal(incoming, door);
  if (turnedAway) {
    const { status, message } = turnedAway;
    await write(refused(status, -32000, message), outgoing, status === 401 ? { 'www-authenticate': 'Bearer' } : {});
    return;
  }
  const text = await read(incoming);
  if (text === undefined) {
    await write(refused(413, -32000, `A message may have ${longestMessage} bytes.`), outgoing, { connection: 'close' });
    return;
  }
  const body = incoming.method === 'POST' ? parseJson(text) : undefined;
  if (incoming.method === 'POST' && body === undefined) {
    await write(refused(400, -32700, 'Parse error: the body is not JSON'), outgoing);
    return;
  }
  const gone = new AbortController();
  outgoing.once('close', () => {
    gone.abort();
  });
  const { method = 'GET', url = '/', headers } = incoming;
  const request = new Request(new URL(url, 'http://localhost'), {
    method,
    headers: Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((each): [string, string] => [name, each]),
    ),
    signal: gone.signal,
  });
  await write(await clients.answer({ request, text, body }), outgoing);
}

/** @returns undefined where it is too long */
async function read(incoming: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > longestMessage) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Writes a response, in which the texts of messages take their places: the SDK writes each event at once. */
async function write(response: Response, outgoing: ServerResponse, more: Record<string, string> = {}): Promise<void> {
  outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), ...more });
  outgoing.flushHeaders();
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader(); // of bytes, by the type of fetch
  if (!reader) {
    outgoing.end();
    return;
  }
  outgoing.once('close', () => void reader.cancel().catch(() => {}));
  for (;;) {
    const { done, value } = await reader.read();
    if (done || outgoing.destroyed) break;
    const isFree = outgoing.write(withPayloads(Buffer.from(value).toString('utf8')));
    if (!isFree) await new Promise<void>((resolve) => outgoing.once('drain', resolve).once('close', resolve));
  }
  outgoing.end();
}
