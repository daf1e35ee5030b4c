import { functionCalls, model, records, sendJson, toolTurn, user, type Protocol, type Turn } from './protocol.js';

/** Chat completions, as OpenAI and its imitators speak them. */
export const chatCompletions: Protocol = {
  route: /\/chat\/completions$/,
  tools: ['tools'],
  toolName: ['function', 'name'],
  toolSchema: ['function', 'parameters'],
  turns: ({ messages }) => chatTurns(messages),
  respond(response, request, reply) {
    const tool_calls = functionCalls(reply, records(request['messages']).length);
    const message =
      'text' in reply ? { role: 'assistant', content: reply.text } : { role: 'assistant', content: '', tool_calls };
    const finish_reason = 'text' in reply ? 'stop' : 'tool_calls';
    const head = { id: 'scripted', created: 1763600000, model: request['model'] };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    if (!request['stream']) {
      sendJson(response, {
        ...head,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason }],
        usage,
      });
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (delta: object, reason: string | null) => {
      const chunk = { ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: reason }] };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    };
    send(message, null);
    send({}, finish_reason);
    response.end('data: [DONE]\n\n');
  },
};

/** Messages with a role each, which several APIs have. */
export function chatTurns(messages: unknown): Turn[] {
  return records(messages).flatMap(({ role, content }) => {
    if (role === 'user') return [user];
    if (role === 'assistant') return [model];
    return role === 'tool' ? [toolTurn(content)] : [];
  });
}
