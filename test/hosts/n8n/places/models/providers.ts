import { chatTurns } from './chat-completions.js';
import { callsOf, functionCalls, model, record, records, sendJson, toolTurn, user, type Protocol } from './protocol.js';

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

/** Cohere's chat API, version 2. */
export const cohere: Protocol = {
  route: /\/v2\/chat$/,
  tools: ['tools'],
  toolName: ['function', 'name'],
  toolSchema: ['function', 'parameters'],
  turns: ({ messages }) => chatTurns(messages),
  respond(response, request, reply) {
    const tool_calls = functionCalls(reply, records(request['messages']).length);
    const content = 'text' in reply ? { content: [{ type: 'text', text: reply.text }] } : { tool_calls };
    sendJson(response, {
      id: 'scripted',
      finish_reason: 'text' in reply ? 'COMPLETE' : 'TOOL_CALL',
      message: { role: 'assistant', ...content },
      usage: { tokens: { input_tokens: 1, output_tokens: 1 } },
    });
  },
};

/** Alibaba Cloud's own API, in the form for models that also read pictures. */
export const dashscope: Protocol = {
  route: /\/multimodal-generation\/generation$/,
  tools: ['parameters', 'tools'],
  toolName: ['function', 'name'],
  toolSchema: ['function', 'parameters'],
  turns: ({ input }) => chatTurns(record(input)['messages']),
  respond(response, request, reply) {
    const tool_calls = functionCalls(reply, records(record(request['input'])['messages']).length);
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
