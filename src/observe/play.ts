import { isList, isObject, parseJson, valueAt } from '../json/index.js';
import type { FormatName } from './formats.js';

/** What is answered in a model's place: a text, or a call with its arguments as they were written. */
export type Reply = { readonly text: string } | { readonly name: string; readonly arguments: string };

/** An answer as a provider sends it. */
interface Played {
  readonly type: string;
  readonly text: string;
}

/** Whether the last word in a request is the answer to a call. */
export function answersCall(body: unknown): boolean {
  const history = ['/messages', '/input', '/contents'].map((place) => valueAt(body, place)).find(isList) ?? [];
  const last = history.at(-1);
  const parts = [valueAt(last, '/content'), valueAt(last, '/parts')].find(isList) ?? [];
  return (
    valueAt(last, '/role') === 'tool' ||
    valueAt(last, '/type') === 'function_call_output' ||
    parts.some(
      (part) =>
        isObject(part) && (part['type'] === 'tool_result' || 'functionResponse' in part || 'function_response' in part),
    )
  );
}

/** The answer in a provider's format: in one piece, or as a stream where the request wants one. */
export function played(format: FormatName, reply: Reply, body: unknown, path: string): Played {
  const model = String(valueAt(body, '/model') ?? 'played');
  const isStream = valueAt(body, '/stream') === true;
  switch (format) {
    case 'chat':
      return isStream ? events(chatStream(reply, model), '[DONE]') : json(chat(reply, model));
    case 'responses':
      return isStream ? events(responsesStream(reply, model)) : json(responses(reply, model));
    case 'anthropic':
      return isStream ? events(anthropicStream(reply, model)) : json(anthropic(reply, model));
    case 'gemini': {
      if (!path.includes(':stream')) return json(gemini(reply));
      return path.includes('alt=sse') ? events([gemini(reply)]) : json([gemini(reply)]);
    }
    case 'ollama': {
      const lines = ollama(reply, model, valueAt(body, '/stream') !== false);
      return { type: 'application/x-ndjson', text: lines.map((line) => `${JSON.stringify(line)}\n`).join('') };
    }
  }
}

function json(value: unknown): Played {
  return { type: 'application/json', text: JSON.stringify(value) };
}

/** Server-sent events, each named by its type where it has one. */
function events(messages: readonly object[], end?: string): Played {
  const each = messages.map((message) => {
    const name = 'type' in message ? `event: ${String(message.type)}\n` : '';
    return `${name}data: ${JSON.stringify(message)}\n\n`;
  });
  return { type: 'text/event-stream', text: each.join('') + (end === undefined ? '' : `data: ${end}\n\n`) };
}

let answers = 0;

/** Of its own for each answer: frameworks take messages of one identifier for one message. */
function id(kind: string): string {
  return `${kind}_played_${++answers}`;
}

const [created, usage] = [1_767_225_600, { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }];

function chat(reply: Reply, model: string) {
  const call = 'name' in reply && { id: id('call'), type: 'function', function: reply };
  const message = { role: 'assistant', ...(call ? { content: null, tool_calls: [call] } : { content: textOf(reply) }) };
  const choices = [{ index: 0, message, finish_reason: call ? 'tool_calls' : 'stop' }];
  return { id: id('chatcmpl'), object: 'chat.completion', created, model, choices, usage };
}

function chatStream(reply: Reply, model: string): object[] {
  const { choices, ...whole } = chat(reply, model);
  const chunk = { ...whole, object: 'chat.completion.chunk', usage: undefined };
  return choices.flatMap(({ message, finish_reason }) => {
    const calls = 'tool_calls' in message && message.tool_calls?.map((call, index) => ({ index, ...call }));
    const delta = { ...message, ...(calls && { tool_calls: calls }) };
    return [
      { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }] },
      { ...chunk, choices: [], usage },
    ];
  });
}

function responses(reply: Reply, model: string) {
  const content = [{ type: 'output_text', text: textOf(reply), annotations: [], logprobs: [] }];
  const item =
    'name' in reply
      ? { type: 'function_call', id: id('fc'), call_id: id('call'), status: 'completed', ...reply }
      : { type: 'message', id: id('msg'), role: 'assistant', status: 'completed', content };
  const counts = { input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } };
  const used = { input_tokens: 1, output_tokens: 1, total_tokens: 2, ...counts };
  const fixed = { error: null, incomplete_details: null, instructions: null, metadata: {}, tools: [] };
  const status = 'completed';
  return {
    id: id('resp'),
    object: 'response',
    created_at: created,
    status,
    model,
    output: [item],
    usage: used,
    ...fixed,
  };
}

function responsesStream(reply: Reply, model: string): object[] {
  const response = responses(reply, model);
  const [item] = response.output;
  const at = { item_id: item?.id, output_index: 0 };
  const begun = { ...item, status: 'in_progress', ...('name' in reply ? { arguments: '' } : { content: [] }) };
  const part = (text: string) => ({ ...at, content_index: 0, part: { type: 'output_text', text, annotations: [] } });
  const pieces =
    'name' in reply
      ? [
          { type: 'response.function_call_arguments.delta', ...at, delta: reply.arguments },
          { type: 'response.function_call_arguments.done', ...at, name: reply.name, arguments: reply.arguments },
        ]
      : [
          { type: 'response.content_part.added', ...part('') },
          { type: 'response.output_text.delta', ...at, content_index: 0, delta: reply.text, logprobs: [] },
          { type: 'response.output_text.done', ...at, content_index: 0, text: reply.text, logprobs: [] },
          { type: 'response.content_part.done', ...part(reply.text) },
        ];
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [], usage: null } },
    { type: 'response.output_item.added', output_index: 0, item: begun },
    ...pieces,
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ].map((event, sequence_number) => ({ ...event, sequence_number }));
}

function anthropic(reply: Reply, model: string) {
  const block =
    'name' in reply
      ? { type: 'tool_use', id: id('toolu'), name: reply.name, input: parseJson(reply.arguments) ?? {} }
      : { type: 'text', text: reply.text };
  const stop_reason = 'name' in reply ? 'tool_use' : 'end_turn';
  const fixed = { type: 'message', role: 'assistant', model, stop_sequence: null };
  return { id: id('msg'), ...fixed, content: [block], stop_reason, usage: { input_tokens: 1, output_tokens: 1 } };
}

function anthropicStream(reply: Reply, model: string): object[] {
  const { content, stop_reason, ...message } = anthropic(reply, model);
  const [block] = content;
  const isCall = 'name' in reply;
  const delta = isCall
    ? { type: 'input_json_delta', partial_json: reply.arguments }
    : { type: 'text_delta', text: reply.text };
  return [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: { ...block, ...(isCall ? { input: {} } : { text: '' }) } },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ];
}

function gemini(reply: Reply): object {
  const call = 'name' in reply && { name: reply.name, args: parseJson(reply.arguments) ?? {} };
  const content = { role: 'model', parts: [call ? { functionCall: call } : { text: textOf(reply) }] };
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
  return { candidates: [{ content, finishReason: 'STOP', index: 0 }], usageMetadata };
}

function ollama(reply: Reply, model: string, isStream: boolean): object[] {
  const call = 'name' in reply && { function: { name: reply.name, arguments: parseJson(reply.arguments) ?? {} } };
  const message = { role: 'assistant', content: textOf(reply), ...(call && { tool_calls: [call] }) };
  const head = { model, created_at: new Date(created * 1000).toISOString() };
  const end = { done: true, done_reason: 'stop', prompt_eval_count: 1, eval_count: 1 };
  if (!isStream) return [{ ...head, message, ...end }];
  return [
    { ...head, message, done: false },
    { ...head, message: { role: 'assistant', content: '' }, ...end },
  ];
}

function textOf(reply: Reply): string {
  return 'text' in reply ? reply.text : '';
}
