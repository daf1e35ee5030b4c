import { isList, isObject, parseJson, valueAt } from '../json/index.js';
import type { FormatName } from './formats.js';

export type Reply = { readonly text: string } | { readonly name: string; readonly arguments: string };

export function answersCall(body: unknown): boolean {
  const last = ['/messages', '/input', '/contents']
    .map((place) => valueAt(body, place))
    .find(isList)
    ?.at(-1);
  const parts = [valueAt(last, '/content'), valueAt(last, '/parts')].find(isList) ?? [];
  return [last, ...parts].some(
    (part) =>
      isObject(part) &&
      (['tool', 'function_call_output', 'tool_result'].some((kind) => [part['role'], part['type']].includes(kind)) ||
        'functionResponse' in part ||
        'function_response' in part),
  );
}

export function played(format: FormatName, reply: Reply, body: unknown, url: string): { type: string; text: string } {
  const isStream = valueAt(body, '/stream') === true;
  const { whole, stream } = answers[format](reply, `played_${++count}`);
  if (format === 'ollama' && valueAt(body, '/stream') !== false) return lines(stream);
  if (format === 'gemini' && url.includes(':stream')) return url.includes('alt=sse') ? events(stream) : json(stream);
  if (format === 'chat' && isStream) return events([...stream, '[DONE]']);
  return isStream ? events(stream) : json(whole);
}

/** Each answer has its own identifiers: frameworks treat messages with the same identifier as one message. */
let count = 0;

function json(value: unknown) {
  return { type: 'application/json', text: JSON.stringify(value) };
}

function lines(messages: readonly unknown[]) {
  return { type: 'application/x-ndjson', text: messages.map((message) => `${JSON.stringify(message)}\n`).join('') };
}

function events(messages: readonly (object | string)[]) {
  const each = messages.map((message) => {
    if (typeof message === 'string') return `data: ${message}\n\n`;
    return `${'type' in message ? `event: ${String(message.type)}\n` : ''}data: ${JSON.stringify(message)}\n\n`;
  });
  return { type: 'text/event-stream', text: each.join('') };
}

const tokens = { input_tokens: 1, output_tokens: 1 };

const answers: Record<
  FormatName,
  (reply: Reply, id: string) => { readonly whole: object; readonly stream: readonly object[] }
> = {
  chat(reply, id) {
    const tool_calls = 'name' in reply ? [{ index: 0, id, type: 'function', function: reply }] : undefined;
    const message = { role: 'assistant', content: textOf(reply), tool_calls };
    const finish_reason = tool_calls ? 'tool_calls' : 'stop';
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const head = { id, created: 0, model: 'played', usage };
    const whole = { ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }] };
    const chunk = { object: 'chat.completion.chunk', choices: [{ index: 0, delta: message, finish_reason }] };
    return { whole, stream: [{ ...head, ...chunk }] };
  },

  responses(reply, id) {
    const text = { type: 'output_text', text: textOf(reply), annotations: [], logprobs: [] };
    const isCall = 'name' in reply;
    const kind = isCall
      ? { type: 'function_call', call_id: id, ...reply }
      : { type: 'message', role: 'assistant', content: [text] };
    const item = { id, status: 'completed', ...kind };
    const begun = { ...item, ...(isCall ? { arguments: '' } : { content: [] }) };
    const details = { input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } };
    const usage = { ...tokens, total_tokens: 2, ...details };
    const head = { id, object: 'response', created_at: 0, model: 'played', status: 'completed' };
    const whole = { ...head, output: [item], tools: [], usage };
    const at = { item_id: id, output_index: 0, content_index: 0, logprobs: [] };
    const chunks = isCall
      ? [{ type: 'response.function_call_arguments.delta', ...at, delta: reply.arguments }]
      : [
          { type: 'response.content_part.added', ...at, part: { ...text, text: '' } },
          { type: 'response.output_text.delta', ...at, delta: reply.text },
        ];
    const stream = [
      { type: 'response.created', response: { ...whole, output: [], status: 'in_progress' } },
      { type: 'response.output_item.added', ...at, item: begun },
      ...chunks,
      { type: 'response.output_item.done', ...at, item },
      { type: 'response.completed', response: whole },
    ];
    return { whole, stream: stream.map((event, sequence_number) => ({ ...event, sequence_number })) };
  },

  anthropic(reply, id) {
    const isCall = 'name' in reply;
    const empty = isCall ? { type: 'tool_use', id, name: reply.name, input: {} } : { type: 'text', text: '' };
    const block = isCall ? { ...empty, input: parseJson(reply.arguments) } : { ...empty, text: reply.text };
    const end = { stop_reason: isCall ? 'tool_use' : 'end_turn', stop_sequence: null };
    const head = { id, type: 'message', role: 'assistant', model: 'played' };
    const whole = { ...head, content: [block], ...end, usage: tokens };
    const delta = isCall
      ? { type: 'input_json_delta', partial_json: reply.arguments }
      : { type: 'text_delta', text: reply.text };
    const stream = [
      { type: 'message_start', message: { ...whole, content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: empty },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: end, usage: tokens },
      { type: 'message_stop' },
    ];
    return { whole, stream };
  },

  gemini(reply) {
    const part = 'name' in reply ? { functionCall: { name: reply.name, args: parseJson(reply.arguments) } } : reply;
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    const content = { role: 'model', parts: [part] };
    const whole = { candidates: [{ content, finishReason: 'STOP', index: 0 }], usageMetadata };
    return { whole, stream: [whole] };
  },

  ollama(reply) {
    const call = 'name' in reply && { function: { name: reply.name, arguments: parseJson(reply.arguments) } };
    const message = { role: 'assistant', content: textOf(reply) ?? '', ...(call && { tool_calls: [call] }) };
    const head = { model: 'played', created_at: new Date(0).toISOString(), message };
    const whole = { ...head, done: true, done_reason: 'stop', prompt_eval_count: 1, eval_count: 1 };
    const last = { ...whole, message: { role: 'assistant', content: '' } };
    return { whole, stream: [{ ...head, done: false }, last] };
  },
};

function textOf(reply: Reply): string | null {
  return 'text' in reply ? reply.text : null;
}
