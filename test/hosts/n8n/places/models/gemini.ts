import { callsOf, model, record, records, sendJson, toolTurn, user, type Protocol } from './protocol.js';

/** Google's generative language API. */
export const gemini: Protocol = {
  route: /:generateContent$/,
  tools: ['tools', 0, 'functionDeclarations'],
  toolName: ['name'],
  toolSchema: ['parameters'],
  turns: ({ contents }) =>
    records(contents).flatMap(({ role, parts }) => {
      if (role === 'model') return [model];
      const results = records(parts).filter(({ functionResponse }) => functionResponse !== undefined);
      return results.length > 0
        ? results.map((part) => toolTurn(record(part['functionResponse'])['response']))
        : [user];
    }),
  respond(response, request, reply) {
    const parts =
      'text' in reply
        ? [{ text: reply.text }]
        : callsOf(reply, records(request['contents']).length).map(({ name, args }) => ({
            functionCall: { name, args },
          }));
    sendJson(response, {
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    });
  },
};
