import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { answerWhole, answerStreamed } from './completion.js';
import type { Script } from './script.js';
import { keptOpen } from '../kept-open.js';

/** One request of a chat model, unchanged. */
export interface ModelRequest {
  /** The raw body, which is everything that the model is sent. */
  readonly body: string;
  readonly json: ChatRequest;
}

export interface ChatRequest {
  model?: string;
  stream?: boolean;
  messages: ChatMessage[];
  tools?: ChatTool[];
}

export interface ChatMessage {
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  content: unknown;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

interface ChatTool {
  type: 'function';
  function: { name: string; description?: string; parameters?: unknown };
}

export interface ScriptedModel extends AsyncDisposable {
  /** The base URL for an OpenAI client, ending in /v1. */
  readonly url: string;
  /** Every chat request so far, oldest first. */
  readonly requests: ModelRequest[];
  /** Replaces the script and forgets the requests. */
  play(script: Script): void;
  stop(): Promise<void>;
}

/**
 * An OpenAI-compatible endpoint on loopback that plays a script and records its requests. It stands in for a language
 * model in tests of what reaches one, and of what becomes of its calls.
 */
export async function startModel(script: Script): Promise<ScriptedModel> {
  const requests: ModelRequest[] = [];
  let current = script;

  const http = createServer(keptOpen, (request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: String(error), type: 'server_error' } }));
    });
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://model').pathname;
    if (path === '/v1/models') {
      sendJson(response, models);
      return;
    }
    if (path !== '/v1/chat/completions') {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: `No such route: ${path}`, type: 'invalid_request_error' } }));
      return;
    }
    const body = await text(request);
    const json = JSON.parse(body) as ChatRequest; // the OpenAI clients under test send nothing else here
    requests.push({ body, json });
    const reply = current(json);
    if (json.stream) answerStreamed(response, json, reply);
    else sendJson(response, answerWhole(json, reply));
  }

  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo; // a TCP server's address is never a string
  const stop = async () => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  };
  const play = (script: Script) => {
    current = script;
    requests.length = 0;
  };
  return { url: `http://127.0.0.1:${port}/v1`, requests, play, stop, [Symbol.asyncDispose]: stop };
}

const models = {
  object: 'list',
  data: [{ id: 'gpt-4.1-mini', object: 'model', created: 1744316542, owned_by: 'system' }],
};

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
