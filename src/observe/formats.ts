import { isObject, JsonScanner, listOf, parseJson, type Span, valueAt } from '../json/index.js';

export interface SentTool {
  readonly name: string;
  readonly description: string;
  readonly schema: string | undefined;
}

export interface ModelCall {
  readonly name: string;
  readonly arguments: unknown;
}

export type FormatName = 'chat' | 'responses' | 'anthropic' | 'gemini' | 'ollama';

/** A call, or a chunk of one. Chunks with the same `place` belong to one call. */
interface CallChunk {
  readonly place?: unknown;
  readonly id?: unknown;
  readonly name?: unknown;
  /** An object, or a string that continues the previous chunk. */
  readonly arguments?: unknown;
}

export interface Format {
  readonly name: FormatName;
  readonly route: RegExp;
  /**
   * The members of a tool that hold its function, or its functions. If none is named, the tool itself is the function.
   */
  readonly functions: readonly string[];
  readonly schema: readonly string[];
  readonly chunks: (message: unknown) => CallChunk[];
}

const formats: readonly Format[] = [
  {
    name: 'chat',
    route: /\/chat\/completions$/,
    functions: ['function'],
    schema: ['parameters'],
    chunks: (message) =>
      list(message, '/choices').flatMap((choice) =>
        [...list(choice, '/delta/tool_calls'), ...list(choice, '/message/tool_calls')].map((call, position) => ({
          place: [valueAt(choice, '/index'), valueAt(call, '/index') ?? position],
          id: valueAt(call, '/id'),
          ...chunkOf(valueAt(call, '/function')),
        })),
      ),
  },
  {
    name: 'responses',
    route: /\/responses$/,
    functions: [],
    schema: ['parameters'],
    chunks: (message) => {
      const isDone = valueAt(message, '/type') === 'response.output_item.done';
      const items = isDone ? [valueAt(message, '/item')] : list(message, '/output');
      return items.filter((item) => valueAt(item, '/type') === 'function_call').map(chunkOf);
    },
  },
  {
    name: 'anthropic',
    route: /\/messages$/,
    functions: [],
    schema: ['input_schema'],
    chunks: (message) => {
      const place = valueAt(message, '/index');
      const blocks = [...list(message, '/content'), valueAt(message, '/content_block')];
      const begun = blocks.filter((block) => valueAt(block, '/type') === 'tool_use').map(chunkOf);
      const more = valueAt(message, '/delta/partial_json');
      return [...begun, ...(more === undefined ? [] : [{ arguments: more }])].map((chunk) => ({ place, ...chunk }));
    },
  },
  {
    name: 'gemini',
    route: /:(?:generateContent|streamGenerateContent)$/,
    // REST takes both spellings of Protocol Buffers.
    functions: ['functionDeclarations', 'function_declarations'],
    schema: ['parametersJsonSchema', 'parameters_json_schema', 'parameters'],
    chunks: (message) =>
      list(message, '/candidates')
        .flatMap((candidate) => list(candidate, '/content/parts'))
        .map((part) => valueAt(part, '/functionCall'))
        // Arguments that come one by one (Vertex AI, streamFunctionCallArguments) are no object yet.
        .flatMap((call) => (isObject(call) && call['willContinue'] === undefined ? chunkOf(call) : [])),
  },
  {
    name: 'ollama',
    route: /\/api\/chat$/,
    functions: ['function'],
    schema: ['parameters'],
    chunks: (message) => list(message, '/message/tool_calls').map((call) => chunkOf(valueAt(call, '/function'))),
  },
];

function chunkOf(call: unknown): CallChunk {
  const args = ['/arguments', '/input', '/args']
    .map((place) => valueAt(call, place))
    .find((found) => found !== undefined);
  return { name: valueAt(call, '/name'), arguments: args };
}

export function formatOf(path: string): Format | undefined {
  return formats.find(({ route }) => route.test(path));
}

export function toolsText(body: string): string | undefined {
  const json = new JsonScanner(body);
  const tools = json.member(json.root(), 'tools');
  return tools && json.slice(tools);
}

/** The tools of such a list. Excludes the provider's own tools, such as its web search, which have no schema. */
export function sentTools(list: string, { functions, schema }: Format): SentTool[] {
  const json = new JsonScanner(list);
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

/** The calls in an answer, which is JSON, a list or lines of JSON, or server-sent events. */
export function callsIn(answer: string, { chunks }: Format): ModelCall[] {
  const calls: { id: unknown; name: string; text: string; whole: unknown }[] = [];
  const open = new Map<string, (typeof calls)[number]>();
  for (const { place, id, name, arguments: chunk } of messagesIn(answer).flatMap(chunks)) {
    const key = JSON.stringify(place);
    let call = place === undefined ? undefined : open.get(key);
    // Some servers give all calls of a stream one index, and each an identifier of its own.
    if (!call || (Boolean(id) && Boolean(call.id) && call.id !== id)) {
      call = { id, name: '', text: '', whole: undefined };
      calls.push(call);
      open.set(key, call);
    }
    if (typeof name === 'string' && call.name === '') call.name = name;
    if (typeof chunk === 'string') call.text += chunk;
    else call.whole ??= chunk;
  }
  return calls
    .filter(({ name }) => name !== '')
    .map(({ name, text, whole }) => ({ name, arguments: text.trim() === '' ? (whole ?? {}) : text }));
}

function messagesIn(answer: string): unknown[] {
  const whole = parseJson(answer);
  if (whole !== undefined) return [whole].flat();
  // Every provider writes the data of an event on one line.
  return answer.split(/\r\n|\r|\n/).flatMap((line) => parseJson(line.replace(/^data:/, '')) ?? []);
}

function list(value: unknown, pointer: string): readonly unknown[] {
  return listOf(valueAt(value, pointer));
}
