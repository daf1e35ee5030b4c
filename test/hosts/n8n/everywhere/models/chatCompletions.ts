import { callsOf, model, records, sendJson, toolTurn, user } from './protocol.js';
import type { Protocol, Turn } from './protocol.js';

/** Chat completions, as OpenAI and all who imitate it speak them. */
export const chatCompletions: Protocol = {
  route: /\/chat\/completions$/,
  tools: ['tools'],
  toolName: ['function', 'name'],
  toolSchema: ['function', 'parameters'],
  turns: ({ messages }) => chatTurns(messages),
  respond(response, request, reply) {
    const calls = callsOf(reply, records(request['messages']).length);
    const tool_calls = calls.map(({ id, name, args }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    }));
    const message = 'text' in reply ? { role: 'assistant', content: reply.text } : { role: 'assistant', content: '', tool_calls };
    sendJson(response, {
      id: 'scripted',
      object: 'chat.completion',
      created: 1763600000,
      model: request['model'],
      choices: [{ index: 0, message, finish_reason: 'text' in reply ? 'stop' : 'tool_calls' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    });
  },
};

/** Messages with a role each, as several APIs have them. */
export function chatTurns(messages: unknown): Turn[] {
  return records(messages).flatMap(({ role, content }) => {
    if (role === 'user') return [user];
    if (role === 'assistant') return [model];
    return role === 'tool' ? [toolTurn(content)] : [];
  });
}
