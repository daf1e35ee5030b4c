import { callsOf, model, records, sendJson, toolTurn, user, type Protocol } from './protocol.js';

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
      type: 'function_call' as const,
      id: `fc_${id}`,
      call_id: id,
      name,
      arguments: JSON.stringify(args),
      status: 'completed',
    }));
    const output = 'text' in reply ? [message(turn, reply.text)] : calls;
    const whole = {
      id: `resp_${turn}`,
      object: 'response',
      created_at: 1763600000,
      status: 'completed',
      model: request['model'],
      output,
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
    };
    if (!request['stream']) {
      sendJson(response, whole);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const created = { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } };
    const events: StreamEvent[] = [
      created,
      ...output.flatMap(itemEvents),
      { type: 'response.completed', response: whole },
    ];
    response.end(events.map((event, sequence_number) => eventText({ ...event, sequence_number })).join(''));
  },
};

type StreamEvent = { type: string; [field: string]: unknown };

type Item = ReturnType<typeof message> | { type: 'function_call'; id: string; arguments: string };

/** The events of an output item in a stream: begun, filled in one go, done. */
function itemEvents(item: Item, output_index: number): StreamEvent[] {
  const place = { item_id: item.id, output_index };
  const added = (empty: object) => ({
    type: 'response.output_item.added',
    output_index,
    item: { ...item, ...empty, status: 'in_progress' },
  });
  const done = { type: 'response.output_item.done', output_index, item };
  if (item.type === 'function_call') {
    const filled = { type: 'response.function_call_arguments.delta', ...place, delta: item.arguments };
    return [added({ arguments: '' }), filled, done];
  }
  const [{ text }] = item.content;
  const part = { ...place, content_index: 0 };
  const empty = { type: 'output_text', text: '', annotations: [] };
  return [
    added({ content: [] }),
    { type: 'response.content_part.added', ...part, part: empty },
    { type: 'response.output_text.delta', ...part, delta: text, logprobs: [] },
    { type: 'response.output_text.done', ...part, text, logprobs: [] },
    done,
  ];
}

function eventText(event: StreamEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function message(turn: number, text: string) {
  const content: [{ type: 'output_text'; text: string; annotations: [] }] = [
    { type: 'output_text', text, annotations: [] },
  ];
  return { type: 'message' as const, id: `msg_${turn}`, status: 'completed', role: 'assistant', content };
}
