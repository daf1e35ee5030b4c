import { chatTurns } from './chat-completions.js';
import { callsOf, record, records, sendJson, type Protocol } from './protocol.js';

/** Alibaba Cloud's own API, in the form it has for models that also read pictures. */
export const dashscope: Protocol = {
  route: /\/multimodal-generation\/generation$/,
  tools: ['parameters', 'tools'],
  toolName: ['function', 'name'],
  toolSchema: ['function', 'parameters'],
  turns: ({ input }) => chatTurns(record(input)['messages']),
  respond(response, request, reply) {
    const tool_calls = callsOf(reply, records(record(request['input'])['messages']).length).map(
      ({ id, name, args }) => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(args) },
      }),
    );
    const message = {
      role: 'assistant',
      ...('text' in reply ? { content: [{ text: reply.text }] } : { content: [], tool_calls }),
    };
    const finish_reason = 'text' in reply ? 'stop' : 'tool_calls';
    sendJson(response, {
      output: { choices: [{ finish_reason, message }] },
      usage: { input_tokens: 1, output_tokens: 1 },
    });
  },
};
