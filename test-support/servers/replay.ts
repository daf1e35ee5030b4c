import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { childrenOf } from '../n8n/source.js';
import { sharedFolder } from '../shared.js';
import { readCorpus } from './corpus.js';

/** One JSON-RPC request or notification that the server got. */
interface RecordedRequest {
  method: string;
  params?: Record<string, unknown>;
}

export interface ReplayServer extends AsyncDisposable {
  /** The URL of the server with this name. */
  url(name: string): string;
  /** Every request of this server, in order, to count `initialize`, `tools/list` and `tools/call`. */
  requests(name: string): readonly RecordedRequest[];
  /** Forgets the recorded requests of all servers. */
  forget(): void;
  names(): readonly string[];
  close(): Promise<void>;
}

/**
 * Plays servers over streamable HTTP (2025-11-25, JSON answers, no sessions), each at its own path of one port.
 * `tools/list` is answered with exactly the recorded lines, `tools/call` with its arguments, as text and as structured
 * content.
 *
 * @param answers lines of JSON-RPC answers to `tools/list` by server name, one per page; default: the shared corpus
 */
export async function startReplayServer(answers?: Readonly<Record<string, readonly string[]>>): Promise<ReplayServer> {
  const lines = new Map(Object.entries(answers ?? corpusLines()));
  const recorded = new Map<string, RecordedRequest[]>();

  const server = createServer((request, response) => {
    const name = decodeURIComponent((request.url ?? '').replace(/^\/mcp\//, ''));
    const pages = lines.get(name);
    if (!pages) response.writeHead(404).end();
    else if (request.method !== 'POST') response.writeHead(405).end();
    else void answer(request, response, pages, log(name));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  function log(name: string): RecordedRequest[] {
    if (!recorded.has(name)) recorded.set(name, []);
    return recorded.get(name)!;
  }

  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    url: (name) => `http://127.0.0.1:${port}/mcp/${encodeURIComponent(name)}`,
    requests: (name) => recorded.get(name) ?? [],
    forget: () => recorded.clear(),
    names: () => [...lines.keys()],
    close,
    [Symbol.asyncDispose]: close,
  };
}

function corpusLines(): Record<string, readonly string[]> {
  const folder = sharedFolder('corpus');
  if (!folder) throw new Error('The corpus is not there; give the replay server lines of your own.');
  return Object.fromEntries(readCorpus(folder).map(({ name, toolsListLines }) => [name, toolsListLines]));
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  pages: readonly string[],
  log: RecordedRequest[],
): Promise<void> {
  const message = JSON.parse(await text(request)) as {
    id?: number | string;
    method: string;
    params?: Record<string, unknown>;
  };
  log.push({ method: message.method, ...(message.params && { params: message.params }) });
  if (message.id === undefined) {
    response.writeHead(202).end();
    return;
  }
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(reply(message.method, message.id, message.params ?? {}, pages));
}

function reply(method: string, id: number | string, params: Record<string, unknown>, pages: readonly string[]): string {
  const result = (value: object) => JSON.stringify({ jsonrpc: '2.0', id, result: value });
  switch (method) {
    case 'initialize':
      return result({
        protocolVersion: params['protocolVersion'],
        capabilities: { tools: {} },
        serverInfo: { name: 'replay', version: '1.0.0' },
      });
    case 'ping':
      return result({});
    case 'tools/list':
      return withId(pages[pageOf(params['cursor'], pages)] ?? pages[0]!, id);
    case 'tools/call':
      return result({
        content: [{ type: 'text', text: JSON.stringify(params['arguments'] ?? {}) }],
        structuredContent: params['arguments'] ?? {},
      });
    default:
      return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
  }
}

/** The recorded answer with another id; every other byte is unchanged. */
function withId(line: string, id: number | string): string {
  const recorded = childrenOf(line).find(({ key }) => key === 'id');
  if (!recorded) throw new Error('The recorded answer has no id.');
  const { start, source } = recorded;
  return line.slice(0, start) + JSON.stringify(id) + line.slice(start + source.length);
}

/** The page after the one whose answer had this cursor. */
function pageOf(cursor: unknown, pages: readonly string[]): number {
  if (cursor === undefined) return 0;
  return (
    pages.findIndex((page) => (JSON.parse(page) as { result: { nextCursor?: unknown } }).result.nextCursor === cursor) +
    1
  );
}
