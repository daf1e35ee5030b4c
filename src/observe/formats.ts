import { isList, isObject, JsonText, parseJson, type Span, valueAt } from '../json/index.js';

/** A tool as a request to a model's provider has it. */
export interface SentTool {
  readonly name: string;
  readonly description: string;
  /** The text of its schema; undefined where it was sent without one. */
  readonly schema: string | undefined;
}

/** A call as the model made it: its arguments are an object, or a text that should hold one. */
export interface ModelCall {
  readonly name: string;
  readonly arguments: unknown;
}

export type FormatName = 'chat' | 'responses' | 'anthropic' | 'gemini' | 'ollama';

/** How one of the providers' APIs has tools and calls. */
export interface Format {
  readonly name: FormatName;
  readonly route: RegExp;
  /** The members of a tool that hold its function, or its functions; of none, the tool is the function. */
  readonly functions: readonly string[];
  /** The members of a function that may hold its schema. */
  readonly schema: readonly string[];
  /** The calls in an answer: one message, or those that a stream consists of. */
  readonly calls: (messages: readonly unknown[]) => ModelCall[];
}

const formats: readonly Format[] = [
  {
    name: 'chat',
    route: /\/chat\/completions$/,
    functions: ['function'],
    schema: ['parameters'],
    calls: chatCalls,
  },
  { name: 'responses', route: /\/responses$/, functions: [], schema: ['parameters'], calls: responsesCalls },
  { name: 'anthropic', route: /\/messages$/, functions: [], schema: ['input_schema'], calls: anthropicCalls },
  {
    name: 'gemini',
    route: /:(?:generateContent|streamGenerateContent)$/,
    // REST takes both spellings of Protocol Buffers.
    functions: ['functionDeclarations', 'function_declarations'],
    schema: ['parametersJsonSchema', 'parameters_json_schema', 'parameters'],
    calls: geminiCalls,
  },
  { name: 'ollama', route: /\/api\/chat$/, functions: ['function'], schema: ['parameters'], calls: ollamaCalls },
];

/** The format of the requests to a path; undefined where it is none that offers tools to a model. */
export function formatOf(path: string): Format | undefined {
  return formats.find(({ route }) => route.test(path));
}

/** The list of tools in a request's body, to the character; undefined where it has none. */
export function toolsText(body: string): string | undefined {
  const json = new JsonText(body);
  const tools = json.member(json.root(), 'tools');
  return tools && json.slice(tools);
}

/** The tools of such a list. What a provider runs itself, such as its web search, has no schema and is none. */
export function sentTools(list: string, { functions, schema }: Format): SentTool[] {
  const json = new JsonText(list);
  const tools = [...json.items(json.root())];
  const held = (tool: Span) =>
    functions.flatMap((name) => {
      const inner = json.member(tool, name);
      return inner && json.text[inner.start] === '[' ? [...json.items(inner)] : (inner ?? []);
    });
  return (functions.length === 0 ? tools : tools.flatMap(held)).flatMap((span) => {
    const text = schema.map((name) => json.member(span, name)).find((found) => found !== undefined);
    const one = (name: string) => {
      const found = json.member(span, name);
      return found && parseJson(json.slice(found));
    };
    const [name, description = '', type = 'function'] = [one('name'), one('description'), one('type')];
    if (typeof name !== 'string' || (!text && type !== 'function')) return [];
    return { name, description: String(description), schema: text && json.slice(text) };
  });
}

/** The messages of an answer: of JSON, of a list of it, of lines of it, or of server-sent events. */
export function messagesIn(answer: string): unknown[] {
  const whole = parseJson(answer);
  if (whole !== undefined) return [whole].flat();
  // Every provider writes the data of an event on one line.
  return answer.split(/\r\n|\r|\n/).flatMap((line) => parseJson(line.replace(/^data:/, '')) ?? []);
}

/** Calls that come in pieces, each by where it stands in the answer. */
class Pieces {
  readonly #calls = new Map<string, { name: string; text: string; whole: unknown }>();

  add(place: string, name: unknown, piece: unknown): void {
    const call = this.#calls.get(place) ?? { name: '', text: '', whole: undefined };
    this.#calls.set(place, call);
    if (typeof name === 'string' && call.name === '') call.name = name;
    if (typeof piece === 'string') call.text += piece;
    else call.whole ??= piece;
  }

  all(): ModelCall[] {
    return [...this.#calls.values()].map(({ name, text, whole }) => ({
      name,
      arguments: text === '' ? (whole ?? {}) : text,
    }));
  }
}

function chatCalls(messages: readonly unknown[]): ModelCall[] {
  const pieces = new Pieces();
  const current = new Map<string, string>();
  for (const choice of messages.flatMap((message) => list(message, '/choices'))) {
    const calls = [...list(choice, '/delta/tool_calls'), ...list(choice, '/message/tool_calls')];
    for (const [position, call] of calls.entries()) {
      const index = `${String(valueAt(choice, '/index'))} ${String(valueAt(call, '/index') ?? position)}`;
      // Some servers give every call of a stream the same index, and an id of its own.
      const id = valueAt(call, '/id');
      if (typeof id === 'string' && id !== '') current.set(index, id);
      const place = `${index} ${current.get(index) ?? ''}`;
      pieces.add(place, valueAt(call, '/function/name'), valueAt(call, '/function/arguments'));
    }
  }
  return pieces.all();
}

function responsesCalls(messages: readonly unknown[]): ModelCall[] {
  const done = messages.filter((message) => valueAt(message, '/type') === 'response.output_item.done');
  const items =
    done.length > 0
      ? done.map((message) => valueAt(message, '/item'))
      : messages.flatMap((message) => [...list(message, '/output'), ...list(message, '/response/output')]);
  return items.filter((item) => valueAt(item, '/type') === 'function_call').flatMap(callOf);
}

function anthropicCalls(messages: readonly unknown[]): ModelCall[] {
  const pieces = new Pieces();
  const blocks = messages.flatMap((message) => [
    ...list(message, '/content').map((block, index) => ({ block, index })),
    { block: valueAt(message, '/content_block'), index: valueAt(message, '/index') },
  ]);
  for (const { block, index } of blocks)
    if (valueAt(block, '/type') === 'tool_use')
      pieces.add(String(index), valueAt(block, '/name'), valueAt(block, '/input'));
  for (const message of messages)
    if (valueAt(message, '/delta/type') === 'input_json_delta')
      pieces.add(String(valueAt(message, '/index')), undefined, valueAt(message, '/delta/partial_json'));
  return pieces.all();
}

function geminiCalls(messages: readonly unknown[]): ModelCall[] {
  const parts = messages
    .flatMap((message) => list(message, '/candidates'))
    .flatMap((candidate) => list(candidate, '/content/parts'));
  // Arguments that come one by one (Vertex AI, streamFunctionCallArguments) are no object yet.
  const calls = parts.map((part) => valueAt(part, '/functionCall')).filter((call) => !valueAt(call, '/willContinue'));
  return calls.flatMap(callOf);
}

function ollamaCalls(messages: readonly unknown[]): ModelCall[] {
  const calls = messages.flatMap((message) => list(message, '/message/tool_calls'));
  return calls.flatMap((call) => callOf(valueAt(call, '/function')));
}

function callOf(call: unknown): ModelCall[] {
  if (!isObject(call) || typeof call['name'] !== 'string') return [];
  return [{ name: call['name'], arguments: call['arguments'] ?? call['args'] ?? {} }];
}

function list(value: unknown, pointer: string): readonly unknown[] {
  const found = valueAt(value, pointer);
  return isList(found) ? found : [];
}
