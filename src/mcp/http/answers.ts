import { isObject } from '../../json/index.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { ProtocolError } from '../errors.js';
import { parseJson } from '../parse-json.js';
import { beginning, brokenHint, readWireAnswer } from '../wire-answer.js';

/** What is known of a request when its answer comes. */
export interface SentRequest {
  id: string | number;
  method: string;
}

/**
 * The same `fetch`, but for JSON responses to requests: one without the answer is an error at once, which the SDK's
 * transport would wait for until the time limit; and messages that its types refuse are understood.
 */
export function answering(base: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await base(input, init);
    const request = isJsonResponse(response) ? requestIn(init) : undefined;
    if (!request) return response;
    const messages = readAnswers(request, response, await response.text());
    // Parsed once is enough.
    return Object.assign(new Response(null, { headers: response.headers }), { json: async () => messages });
  };
}

function requestIn(init: RequestInit | undefined): SentRequest | undefined {
  const message = typeof init?.body === 'string' ? parseJson(init.body) : undefined;
  return isObject(message) && 'id' in message && 'method' in message ? (message as unknown as SentRequest) : undefined; // the SDK's own
}

/** Whether a response is read as one body of JSON, or has none although it should. */
export function isJsonResponse({ status, headers }: Response): boolean {
  return (
    status === 202 ||
    status === 204 ||
    (status === 200 && /^\s*application\/json\s*(;|$)/i.test(headers.get('content-type') ?? ''))
  );
}

/**
 * The messages in the JSON response to a request, the answer among them. It belongs to that request and no other, so an
 * error without an id (JSON-RPC 2.0, 5.1) is its answer as well.
 *
 * @throws ProtocolError, naming what came, when there is no answer: nothing more will come of this request
 */
export function readAnswers(request: SentRequest, { status }: Response, text: string): JSONRPCMessage[] {
  const body = parseJson(text);
  const messages = Array.isArray(body) ? body : [body];
  const own = messages.find((message) => isAnswerTo(request, message));
  if (!own) {
    const what = text.trim() === '' ? `HTTP ${status} and an empty body` : describe(body, text);
    throw new ProtocolError(`The server answered ${request.method}, which had the id ${request.id}, with ${what}.`, {
      hint: brokenHint,
    });
  }
  const answer = readWireAnswer(request.method, own);
  if ('failure' in answer) throw answer.failure;
  const others = messages.filter(
    (message): message is JSONRPCMessage => isObject(message) && typeof message['method'] === 'string',
  );
  return [...others, { jsonrpc: '2.0', id: request.id, ...answer }];
}

/** The answer in an event of the response to a request, unless the event holds something else. */
export function readAnswer(request: SentRequest, data: string): JSONRPCMessage | undefined {
  const message = parseJson(data);
  const answer = isAnswerTo(request, message) ? readWireAnswer(request.method, message) : undefined;
  return answer && !('failure' in answer) ? { jsonrpc: '2.0', id: request.id, ...answer } : undefined;
}

/** Ids may come back as strings. */
function isAnswerTo({ id }: SentRequest, message: unknown): message is Record<string, unknown> {
  if (!isObject(message) || 'method' in message) return false;
  return message['id'] === undefined || message['id'] === null
    ? 'error' in message
    : String(message['id']) === String(id);
}

function describe(body: unknown, text: string): string {
  if (body === undefined) return `something that is not JSON: ${beginning(text)}`;
  if (isObject(body) && 'id' in body)
    return `an answer to another request, with the id ${beginning(JSON.stringify(body['id']))}`;
  return `no answer, but ${beginning(text)}`;
}
