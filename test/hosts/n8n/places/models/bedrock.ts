import { callsOf, model, record, records, sendJson, toolTurn, user, type Protocol } from './protocol.js';

/** The Converse API of Amazon Bedrock. */
export const bedrock: Protocol = {
  route: /\/model\/[^/]+\/converse$/,
  tools: ['toolConfig', 'tools'],
  toolName: ['toolSpec', 'name'],
  toolSchema: ['toolSpec', 'inputSchema', 'json'],
  turns: ({ messages }) =>
    records(messages).flatMap(({ role, content }) => {
      if (role === 'assistant') return [model];
      const results = records(content).filter(({ toolResult }) => toolResult !== undefined);
      return results.length > 0 ? results.map((block) => toolTurn(record(block['toolResult'])['content'])) : [user];
    }),
  respond(response, request, reply) {
    const calls = callsOf(reply, records(request['messages']).length);
    const content =
      'text' in reply
        ? [{ text: reply.text }]
        : calls.map(({ id, name, args }) => ({ toolUse: { toolUseId: id, name, input: args } }));
    sendJson(response, {
      output: { message: { role: 'assistant', content } },
      stopReason: 'text' in reply ? 'end_turn' : 'tool_use',
      usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
      metrics: { latencyMs: 1 },
    });
  },
};
