import { chatTurns } from './chat-completions.js';
import { callsOf, records, type Protocol } from './protocol.js';

/** Ollama's chat: messages as in chat completions, arguments as objects, streams as lines of JSON. */
export const ollama: Protocol = {
  route: /\/api\/chat$/,
  tools: ['tools'],
  toolName: ['function', 'name'],
  toolSchema: ['function', 'parameters'],
  turns: ({ messages }) => chatTurns(messages),
  respond(response, request, reply) {
    const calls = callsOf(reply, records(request['messages']).length);
    const tool_calls = calls.map(({ name, args }) => ({ function: { name, arguments: args } }));
    const message =
      'text' in reply ? { role: 'assistant', content: reply.text } : { role: 'assistant', content: '', tool_calls };
    const head = { model: request['model'], created_at: '2026-01-01T00:00:00Z' };
    const end = { done: true, done_reason: 'stop', prompt_eval_count: 1, eval_count: 1 };
    const streamed = request['stream'] !== false;
    response.writeHead(200, { 'content-type': streamed ? 'application/x-ndjson' : 'application/json' });
    if (streamed) response.write(`${JSON.stringify({ ...head, message, done: false })}\n`);
    response.end(
      `${JSON.stringify({ ...head, message: streamed ? { role: 'assistant', content: '' } : message, ...end })}\n`,
    );
  },
};
