import { chatTurns } from './chat-completions.js';
import { callsOf, records, sendJson, type Protocol } from './protocol.js';

/** Cohere's chat API, version 2. */
export const cohere: Protocol = {
  route: /\/v2\/chat$/,
  tools: ['tools'],
  toolName: ['function', 'name'],
  toolSchema: ['function', 'parameters'],
  turns: ({ messages }) => chatTurns(messages),
  respond(response, request, reply) {
    const tool_calls = callsOf(reply, records(request['messages']).length).map(({ id, name, args }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    }));
    const content = 'text' in reply ? { content: [{ type: 'text', text: reply.text }] } : { tool_calls };
    sendJson(response, {
      id: 'scripted',
      finish_reason: 'text' in reply ? 'COMPLETE' : 'TOOL_CALL',
      message: { role: 'assistant', ...content },
      usage: { tokens: { input_tokens: 1, output_tokens: 1 } },
    });
  },
};
