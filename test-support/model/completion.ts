import type { ServerResponse } from 'node:http';
import type { ChatRequest } from './model.js';
import type { Reply, ToolCall } from './script.js';

/** The answer to a chat completion request in one piece. */
export function answerWhole(request: ChatRequest, reply: Reply): object {
  return {
    ...envelope(request, 'chat.completion'),
    choices: [{ index: 0, message: message(request, reply), logprobs: null, finish_reason: finish(reply) }],
    usage,
  };
}

/** The same answer as server-sent events, with a call's arguments in two pieces, as real endpoints send them. */
export function answerStreamed(response: ServerResponse, request: ChatRequest, reply: Reply): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const head = envelope(request, 'chat.completion.chunk');
  const send = (delta: object, finish_reason: string | null = null) =>
    response.write(`data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
  send({ role: 'assistant', content: 'text' in reply ? '' : null });
  for (const delta of deltas(request, reply)) send(delta);
  send({}, finish(reply));
  response.write(`data: ${JSON.stringify({ ...head, choices: [], usage })}\n\n`);
  response.end('data: [DONE]\n\n');
}

function* deltas(request: ChatRequest, reply: Reply): Generator<object> {
  if ('text' in reply) {
    for (const word of reply.text.split(/(?<= )/)) yield { content: word };
    return;
  }
  for (const [
    index,
    {
      id,
      function: { name, arguments: args },
    },
  ] of toolCalls(request, reply.calls).entries()) {
    yield { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] };
    const half = Math.ceil(args.length / 2);
    for (const part of [args.slice(0, half), args.slice(half)]) {
      yield { tool_calls: [{ index, function: { arguments: part } }] };
    }
  }
}

function message(request: ChatRequest, reply: Reply): object {
  if ('text' in reply) return { role: 'assistant', content: reply.text, refusal: null };
  return { role: 'assistant', content: null, refusal: null, tool_calls: toolCalls(request, reply.calls) };
}

/** Calls with identifiers that are unique in their conversation. */
function toolCalls(request: ChatRequest, calls: ToolCall[]) {
  return calls.map(({ name, arguments: args }, index) => ({
    id: `call_${request.messages.length}_${index}`,
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  }));
}

function finish(reply: Reply): string {
  return 'text' in reply ? 'stop' : 'tool_calls';
}

function envelope(request: ChatRequest, object: string): object {
  // A different id for each answer: LangGraph treats messages with the same id as one.
  return {
    id: `chatcmpl-scripted-${request.messages.length}`,
    object,
    created: 1763600000,
    model: request.model ?? 'gpt-4.1-mini',
  };
}

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
