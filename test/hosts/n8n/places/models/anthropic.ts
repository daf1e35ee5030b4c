import { callsOf, model, records, sendJson, toolTurn, user, type Protocol } from './protocol.js';

/** Anthropic's messages API. */
export const anthropic: Protocol = {
  route: /\/v1\/messages$/,
  tools: ['tools'],
  toolName: ['name'],
  toolSchema: ['input_schema'],
  turns: ({ messages }) =>
    records(messages).flatMap(({ role, content }) => {
      if (role === 'assistant') return [model];
      // Results travel in messages of the user.
      const results = records(content).filter(({ type }) => type === 'tool_result');
      return results.length > 0 ? results.map((result) => toolTurn(result['content'])) : [user];
    }),
  respond(response, request, reply) {
    const calls = callsOf(reply, records(request['messages']).length);
    sendJson(response, {
      id: 'msg_scripted',
      type: 'message',
      role: 'assistant',
      model: request['model'],
      content:
        'text' in reply
          ? [{ type: 'text', text: reply.text }]
          : calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args })),
      stop_reason: 'text' in reply ? 'end_turn' : 'tool_use',
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    });
  },
};
