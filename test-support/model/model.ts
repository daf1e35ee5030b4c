import { startHttpServer } from '../servers/http.js';
import { answerWhole, answerStreamed } from './completion.js';
import type { Script } from './script.js';

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

  const server = await startHttpServer(({ path, text: body, body: given, json: send, status, response }) => {
    const fail = (code: number, type: string, message: string): void =>
      status(code, JSON.stringify({ error: { message, type } }), { 'content-type': 'application/json' });
    const { pathname } = new URL(path, 'http://model');
    try {
      if (pathname === '/v1/models') send(models);
      else if (pathname !== '/v1/chat/completions') fail(404, 'invalid_request_error', `No such route: ${pathname}`);
      else {
        const json = given as unknown as ChatRequest; // the OpenAI clients under test send nothing else here
        requests.push({ body, json });
        const reply = current(json);
        if (json.stream) answerStreamed(response, json, reply);
        else send(answerWhole(json, reply));
      }
    } catch (error) {
      fail(500, 'server_error', String(error));
    }
  });
  const play = (script: Script) => {
    current = script;
    requests.length = 0;
  };
  const stop = () => server.close();
  return { url: `${server.origin}/v1`, requests, play, stop, [Symbol.asyncDispose]: stop };
}

const models = {
  object: 'list',
  data: [{ id: 'gpt-4.1-mini', object: 'model', created: 1744316542, owned_by: 'system' }],
};
