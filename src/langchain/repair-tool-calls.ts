import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import { argumentsFromText } from '../index.js';
import { checkOptions, type Option } from '../json/index.js';

/** How repairToolCalls works. */
export interface RepairToolCallsOptions {
  /** How often the model is asked again where nothing could be mended. Default 2; 0 leaves such answers as they are. */
  readonly maxRetries?: number;
}

/** A model call as `wrapModelCall` sees it. */
interface ModelRequest {
  messages: BaseMessage[];
}

type Handler<Request> = (request: Request) => AIMessage | Promise<AIMessage>;

/** What LangChain's `createMiddleware` takes. */
export interface RepairToolCalls {
  readonly name: string;
  readonly wrapModelCall: <Request extends ModelRequest>(
    request: Request,
    handler: Handler<Request>,
  ) => Promise<AIMessage>;
}

/**
 * Middleware for tool calls whose arguments are no JSON. LangChain puts them into `invalid_tool_calls`, which no agent
 * looks at: its run ends without a word. Here they are read as the model wrote them (Python literals, trailing commas, code
 * fences, doubled encoding); where that cannot be done, the model is told why and asked again.
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
      let answer = mended(await handler(request));
      for (let retry = 0; retry < maxRetries && hasInvalidCalls(answer); retry++) {
        answer = mended(await handler({ ...request, messages: [...request.messages, ...refusalOf(answer)] }));
      }
      return answer;
    },
  };
}

const wholeNumber: Option = {
  words: 'a whole number, 0 or more',
  accepts: (value) => Number.isInteger(value) && Number(value) >= 0,
};

function hasInvalidCalls({ invalid_tool_calls: invalid = [] }: AIMessage): boolean {
  return invalid.length > 0;
}

/** The answer with the calls that could be read among its tool calls, each in the order in which it came. */
function mended(answer: AIMessage): AIMessage {
  const { invalid_tool_calls: invalid = [], tool_calls: calls = [] } = answer;
  const left: typeof invalid = [];
  for (const call of invalid) {
    const args = call.name === undefined || call.args === undefined ? undefined : argumentsFromText(call.args);
    if (call.name === undefined || !args) left.push(call);
    else calls.push({ type: 'tool_call', name: call.name, args, ...(call.id !== undefined && { id: call.id }) });
  }
  answer.tool_calls = calls;
  answer.invalid_tool_calls = left;
  return answer;
}

/** The refused calls as the model may see them, each with what was wrong. Calls beside them have not been made either. */
function refusalOf({ content, invalid_tool_calls: invalid = [] }: AIMessage): BaseMessage[] {
  const calls = invalid.map(({ name = 'unknown', id, args = '' }, index) => ({
    name,
    id: id ?? `invalid-${index}`,
    problem: problemWith(args),
  }));
  const refused = new AIMessage({ content, tool_calls: calls.map(({ name, id }) => ({ name, id, args: {} })) });
  const told = calls.map(
    ({ name, id, problem }) =>
      new ToolMessage({
        name,
        tool_call_id: id,
        status: 'error',
        content: `The arguments are not a JSON object: ${problem} No tool was called. Make all calls of this turn again.`,
      }),
  );
  return [refused, ...told];
}

function problemWith(args: string): string {
  try {
    JSON.parse(args);
    return 'they are another JSON value.';
  } catch (error) {
    // The parser's message names the place, and quotes a few characters.
    return error instanceof Error ? `${error.message.slice(0, 200)}.` : 'they cannot be read.';
  }
}
