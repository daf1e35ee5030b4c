import { type AgentTool, namedModel, openedTools, type OpenTools, seesMedia, warnOfMany } from '../internal.js';
import { blockText, retryLost, writtenArguments } from '../internal.js';
import { ConfigurationError, isList, isObject, jsonText } from '../json/index.js';

/** The middleware type of `wrapLanguageModel`. */
export interface VerbatimTools {
  readonly specificationVersion: 'v3';
  readonly transformParams: <Params>(options: { params: Params; model: object }) => Promise<Params>;
  readonly wrapGenerate: <Answer>(options: { doGenerate: () => PromiseLike<Answer> }) => Promise<Answer>;
  readonly wrapStream: <Answer extends { stream: ReadableStream<unknown> }>(options: {
    doStream: () => PromiseLike<Answer>;
  }) => Promise<Answer>;
}

/**
 * Middleware that adapts to the model of each request: its provider gets the tools' schemas as their servers wrote
 * them, or, if it would reject one, a form that it accepts. A framework around the AI SDK (Mastra, VoltAgent) that
 * rewrote them before changes nothing. Calls whose arguments are not JSON are mended, and images in results become a line
 * of text if the provider takes none there.
 *
 * ```ts
 * const verbatim = wrapLanguageModel({ model, middleware: verbatimTools(tools) });
 * ```
 *
 * @param tools the result of `mcpTools` or `agentTools`
 */
export function verbatimTools(tools: OpenTools): VerbatimTools {
  const current = () => {
    const opened = (tools as { readonly [openedTools]?: readonly AgentTool[] })[openedTools];
    if (!opened) throw new ConfigurationError('verbatimTools takes the result of mcpTools or agentTools.');
    return new Map(opened.map((tool) => [tool.name, tool]));
  };
  current();
  const retry = retryLost(tools);
  return {
    specificationVersion: 'v3',
    transformParams({ params, model }) {
      retry();
      return Promise.resolve(forModel(params, current(), model));
    },
    wrapGenerate: async ({ doGenerate }) => {
      const answer = await doGenerate();
      const content = isObject(answer) ? answer['content'] : undefined;
      if (!isList(content)) return answer;
      return { ...answer, content: content.map((part) => mended(part, current())) };
    },
    wrapStream: async ({ doStream }) => {
      const answer = await doStream();
      const transform = (part: unknown, controller: TransformStreamDefaultController<unknown>) => {
        controller.enqueue(mended(part, current()));
      };
      return { ...answer, stream: answer.stream.pipeThrough(new TransformStream<unknown, unknown>({ transform })) };
    },
  };
}

type Tools = ReadonlyMap<string, AgentTool>;

/** @param params of any version of the SDK: unknown ones stay unchanged */
function forModel<Params>(params: Params, tools: Tools, model: unknown): Params {
  if (!isObject(params)) return params;
  const { provider, api } = namedModel(model);
  const { tools: sent, prompt } = params;
  if (provider && isList(sent)) warnOfMany(sent.length, provider);
  // APIs that resemble Chat Completions accept only text.
  const isSeen = provider === undefined ? api !== 'completions' : seesMedia(provider, api);
  return {
    ...params,
    ...(isList(sent) && {
      tools: sent.map((each) => {
        const tool = isObject(each) && each['type'] === 'function' ? tools.get(String(each['name'])) : undefined;
        if (!tool) return each;
        // OpenAI's Responses would otherwise have every argument given.
        const strict = provider === 'openai' && { strict: false };
        return { ...strict, ...(each as object), inputSchema: tool.sentTo(provider, api) };
      }),
    }),
    ...(!isSeen && isList(prompt) && { prompt: prompt.map((message) => withoutMedia(message, tools)) }),
  };
}

/** A call as the SDK can parse it. */
function mended(part: unknown, tools: Tools): unknown {
  if (!isObject(part) || part['type'] !== 'tool-call' || !tools.has(String(part['toolName']))) return part;
  const written = writtenArguments(part['input']);
  const isMended = 'value' in written && written.text === undefined && isObject(written.value);
  return isMended ? { ...part, input: jsonText(written.value) } : part;
}

function withoutMedia(message: unknown, tools: Tools): unknown {
  if (!isObject(message) || message['role'] !== 'tool' || !isList(message['content'])) return message;
  const content = message['content'].map((result) => {
    if (!isObject(result) || !isObject(result['output']) || !tools.has(String(result['toolName']))) return result;
    const { type, value } = result['output'];
    if (type !== 'content' || !isList(value)) return result;
    return { ...result, output: { type: 'text', value: value.flatMap(lineOf).join('\n\n') } };
  });
  return { ...message, content };
}

/** Beside a sound or a file there is a line of text already. */
function lineOf(item: unknown): string[] {
  if (!isObject(item)) return [];
  const { type, text, mediaType, data } = item;
  if (type === 'text' && typeof text === 'string') return [text];
  if (typeof mediaType !== 'string' || !mediaType.startsWith('image/')) return [];
  const bytes: unknown = isObject(data) ? data['data'] : data;
  return [blockText({ type: 'image', mimeType: mediaType, data: bytes })];
}
