import type { IncomingHttpHeaders } from 'node:http';
import { startHttpServer } from './http.js';

/** Answers a JSON-RPC request with the JSON text of a result or an error. Undefined stands for the usual answer. */
export type RawAnswers = (method: string, params: Record<string, unknown>) => RawAnswer | undefined;

export type RawAnswer = { result: string } | { error: string } | 'never';

export interface RawServer extends AsyncDisposable {
  readonly url: string;
  /** The received requests and notifications, oldest first. */
  readonly received: {
    method: string;
    params: Record<string, unknown>;
    headers: IncomingHttpHeaders;
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
  const server = await startHttpServer(({ verb, headers, text, message, response, status }) => {
    if (verb !== 'POST') {
      status(verb === 'DELETE' ? 200 : 405);
      return;
    }
    const { id, method, params = {} } = message;
    received.push({ method, params, headers, text });
    if (id === undefined) {
      status(202);
      return;
    }
    const answer = current(method, params) ?? initialization(method, params);
    if (answer === 'never') return;
    const [[name, json]] = Object.entries(answer) as [[string, string]]; // exactly one of result and error
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"${name}":${json}}`);
  });
  return {
    url: server.url,
    received,
    play(answers) {
      current = answers;
      received.length = 0;
    },
    [Symbol.asyncDispose]: () => server.close(),
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
