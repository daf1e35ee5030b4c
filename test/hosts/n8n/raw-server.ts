import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { keptOpen } from '../../../test-support/kept-open.js';

/** Answers a JSON-RPC request with the JSON text of a result or an error. Undefined stands for the usual answer. */
export type RawAnswers = (method: string, params: Record<string, unknown>) => RawAnswer | undefined;

export type RawAnswer = { result: string } | { error: string } | 'never';

export interface RawServer extends AsyncDisposable {
  readonly url: string;
  /** The received requests and notifications, oldest first. */
  readonly received: {
    method: string;
    params: Record<string, unknown>;
    headers: IncomingMessage['headers'];
    text: string;
  }[];
  /** Replaces the answers, and forgets the received messages. */
  play(answers: RawAnswers): void;
}

/**
 * An MCP server over streamable HTTP whose answers are given as text, so it can send texts that no SDK lets through,
 * and recorded ones byte for byte.
 */
export async function startRawServer(answers: RawAnswers = () => undefined): Promise<RawServer> {
  const received: RawServer['received'] = [];
  let current = answers;

  const http = createServer(keptOpen, (request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(request.method === 'DELETE' ? 200 : 405).end();
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const message = JSON.parse(body) as JsonRpc; // clients under test send JSON-RPC
      const { id, method, params = {} } = message;
      received.push({ method, params, headers: request.headers, text: body });
      if (id === undefined) {
        response.writeHead(202).end();
        return;
      }
      const answer = current(method, params) ?? initialization(method, params);
      if (answer === 'never') return;
      const [[name, text]] = Object.entries(answer) as [[string, string]]; // exactly one of result and error
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"${name}":${text}}`);
    });
  });

  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo; // a TCP server's address is never a string
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    received,
    play(answers) {
      current = answers;
      received.length = 0;
    },
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

/** A server with one tool, `work`, which gives one answer per call, and repeats the last one. */
export function working(...answers: RawAnswer[]): RawAnswers {
  let call = 0;
  return (method) => {
    if (method === 'tools/list') return { result: '{"tools":[{"name":"work","inputSchema":{"type":"object"}}]}' };
    return method === 'tools/call' ? answers[Math.min(call++, answers.length - 1)] : undefined;
  };
}

interface JsonRpc {
  id?: string | number;
  method: string;
  params?: Record<string, unknown>;
}

/** The usual answers of a server of revision 2025-06-18. */
function initialization(method: string, params: Record<string, unknown>): RawAnswer {
  if (method === 'ping') return { result: '{}' };
  if (method !== 'initialize') return { error: '{"code":-32601,"message":"Method not found"}' };
  const known = ['2024-11-05', '2025-03-26', '2025-06-18'];
  const asked = String(params['protocolVersion']);
  const protocolVersion = known.includes(asked) ? asked : '2025-06-18';
  const server = { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'raw', version: '1.0.0' } };
  return { result: JSON.stringify(server) };
}
