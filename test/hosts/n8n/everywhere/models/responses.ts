import { callsOf, model, records, sendJson, toolTurn, user } from './protocol.js';
import type { Protocol } from './protocol.js';

/** OpenAI's responses API. */
export const responses: Protocol = {
  route: /\/responses$/,
  tools: ['tools'],
  toolName: ['name'],
  toolSchema: ['parameters'],
  turns: ({ input }) =>
    records(input).flatMap(({ type, role, output }) => {
      if (type === 'function_call_output') return [toolTurn(output)];
      if (type === 'function_call' || role === 'assistant') return [model];
      return role === 'user' ? [user] : [];
    }),
  respond(response, request, reply) {
    const turn = records(request['input']).length;
    const calls = callsOf(reply, turn).map(({ id, name, args }) => ({
      type: 'function_call',
      id: `fc_${id}`,
      call_id: id,
      name,
      arguments: JSON.stringify(args),
      status: 'completed',
    }));
    sendJson(response, {
      id: `resp_${turn}`,
      object: 'response',
      created_at: 1763600000,
      status: 'completed',
      model: request['model'],
      output: 'text' in reply ? [message(turn, reply.text)] : calls,
      parallel_tool_calls: true,
      tool_choice: 'auto',
      tools: [],
      usage: {
        input_tokens: 1,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 1,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 2,
      },
    });
  },
};

function message(turn: number, text: string): object {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { type: 'message', id: `msg_${turn}`, status: 'completed', role: 'assistant', content };
}
