import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import { argumentsFromText, problemWith } from '../internal.js';
import { checkOptions, isList, isNoText, isObject, parseJson, type Option } from '../json/index.js';

/** How repairToolCalls works. */
export interface RepairToolCallsOptions {
  /** How often the model is asked again if nothing could be repaired. Default 2; 0 leaves such answers as they are. */
  readonly maxRetries?: number;
}

/** The middleware type of LangChain's `createMiddleware`. */
export interface RepairToolCalls {
  readonly name: string;
  readonly wrapModelCall: <Request extends { messages: BaseMessage[]; tools?: readonly unknown[] }>(
    request: Request,
    handler: (request: Request) => AIMessage | Promise<AIMessage>,
  ) => Promise<AIMessage>;
}

/**
 * Middleware for tool calls whose arguments are not JSON. LangChain puts them into `invalid_tool_calls`, which no agent
 * looks at, and makes a call of a streamed one that was cut short. Here they are read as the model wrote them (Python
 * literals, trailing commas, code fences, doubled encoding; no text at all for a tool that requires no argument); if that
 * fails, the model reads why and is asked again.
 *
 * ```ts
 * createAgent({ model, tools, middleware: [createMiddleware(repairToolCalls())] });
 * ```
 */
export function repairToolCalls(options: RepairToolCallsOptions = {}): RepairToolCalls {
  checkOptions('repairToolCalls', options, { maxRetries: wholeNumber });
  const { maxRetries = 2 } = options;
  return {
    name: 'repairToolCalls',
    async wrapModelCall(request, handler) {
      const { tools = [] } = request;
      let answer = mended(await handler(request), tools);
      for (let retry = 0; retry < maxRetries && answer.invalid_tool_calls?.length; retry++)
        answer = mended(await handler({ ...request, messages: [...request.messages, ...refusalOf(answer)] }), tools);
      return answer;
    },
  };
}

const wholeNumber: Option = {
  words: 'a whole number, 0 or more',
  accepts: (value) => Number.isInteger(value) && Number(value) >= 0,
};

function mended(answer: AIMessage, tools: readonly unknown[]): AIMessage {
  const { invalid_tool_calls: known = [], tool_calls: made = [] } = answer;
  const calls: typeof made = [];
  const invalid = [...known];
  for (const call of made) {
    const args = unreadText(call, answer);
    if (args === undefined) calls.push(call);
    else invalid.push({ ...call, type: 'invalid_tool_call', args, error: 'Not a JSON object' });
  }
  const left: typeof invalid = [];
  for (const call of invalid) {
    const args = call.name === undefined ? undefined : argumentsOf(call.name, call.args ?? '', tools);
    if (call.name === undefined || !args) left.push(call);
    else calls.push({ type: 'tool_call', name: call.name, args, ...(call.id !== undefined && { id: call.id }) });
  }
  if (left.length < invalid.length) answer.content = withInputs(answer.content, calls);
  answer.tool_calls = calls;
  answer.invalid_tool_calls = left;
  return answer;
}

/**
 * The text of arguments that LangChain did not parse to the written object: it accepts the beginning of a streamed
 * answer that was cut short, and lists and strings as they are.
 */
function unreadText({ id, args }: { id?: string | undefined; args: unknown }, answer: AIMessage): string | undefined {
  const chunks: unknown = 'tool_call_chunks' in answer ? answer.tool_call_chunks : [];
  const known = isList(chunks) && id !== undefined ? chunks.filter(isObject) : [];
  const written = known.find((each) => each['id'] === id)?.['args'];
  if (typeof written === 'string' && written.trim() !== '') return isObject(parseJson(written)) ? undefined : written;
  return isObject(args) ? undefined : JSON.stringify(args);
}

function argumentsOf(name: string, text: string, tools: readonly unknown[]): Call['args'] | undefined {
  if (!isNoText(text)) return argumentsFromText(text);
  return tools.some((tool) => isObject(tool) && tool['name'] === name && needsNothing(tool['schema'])) ? {} : undefined;
}

function needsNothing(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { shape, type, required = [] } = schema;
  if (!isObject(shape)) return type === 'object' && isList(required) && required.length === 0;
  return Object.values(shape).every(
    (field) =>
      isObject(field) &&
      typeof field['isOptional'] === 'function' &&
      Reflect.apply(field['isOptional'], field, []) === true,
  );
}

/** Anthropic's blocks hold each call a second time: as it was made, it would be refused when it is sent back. */
function withInputs(content: AIMessage['content'], calls: readonly Call[]): AIMessage['content'] {
  if (typeof content === 'string') return content;
  return content.map((block) => {
    const call = block.type === 'tool_use' ? calls.find(({ id }) => id !== undefined && id === block['id']) : undefined;
    return call ? { ...block, input: call.args } : block;
  });
}

interface Call {
  readonly id?: string | undefined;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** All calls of the turn as the model may see them, none of which was made, each with its problem. */
function refusalOf({ content, tool_calls: readable = [], invalid_tool_calls: invalid = [] }: AIMessage): BaseMessage[] {
  const refused = invalid.map(({ name = 'unknown', id, args = '' }, index) => ({
    call: { name, id: id ?? `invalid-${index}`, args: {} },
    problem: `The arguments are not a JSON object: ${problemWith(args)}`,
  }));
  const unmade = readable.map(({ name, id, args }, index) => ({
    call: { name, id: id ?? `unmade-${index}`, args },
    problem: 'Another call of this turn could not be read.',
  }));
  const all = [...unmade, ...refused];
  const calls = all.map(({ call }) => call);
  const answers = all.map(({ call: { name, id }, problem }) => {
    const text = `${problem} No tool was called. Make all calls of this turn again.`;
    return new ToolMessage({ name, tool_call_id: id, status: 'error', content: text });
  });
  return [new AIMessage({ content: withInputs(content, calls), tool_calls: calls }), ...answers];
}
