import { ConfigurationError } from '../json/index.js';
import type { CallbackManagerForToolRun } from '@langchain/core/callbacks/manager';
import type { BaseMessage, MessageContent } from '@langchain/core/messages';
import { ToolMessage, type ToolMessageFields } from '@langchain/core/messages/tool';
import type { ToolRunnableConfig } from '@langchain/core/tools';
import { schemaFor, startToolSearch } from '../internal.js';
import type { ModelTool, ToolSearch, ToolSearchMode } from '../internal.js';
import { checkOption, checkOptions, isObject, listOf, listOfTools, oneOf, texts, valueAt } from '../json/index.js';
import { InvalidToolInputException } from './call/outcome.js';
import { McpTool } from './tool.js';
import { verbatimTools, type VerbatimTools } from './verbatim-tools.js';

/** How `toolSearch` exposes tools. */
export interface ToolSearchOptions {
  /** 'on': the model always searches. 'auto': only if all tools would take many tokens. Default: 'on'. */
  readonly mode?: Exclude<ToolSearchMode, 'off'>;
  /** Tools that are always exposed, by the server's own names. */
  readonly always?: readonly string[];
}

/**
 * Middleware for many tools, in addition to {@link verbatimTools}: the model is sent one tool that searches the others;
 * tools found in the conversation so far are bound, with the schemas that their servers wrote.
 *
 * @param tools the result of `mcpTools`; the agent need not be given them as well
 */
export function toolSearch(tools: readonly McpTool[], options: ToolSearchOptions = {}): VerbatimTools {
  checkOption('toolSearch', 'tools', tools, listOfTools);
  checkOptions('toolSearch', options, { mode: oneOf('on', 'auto'), always: texts });
  const { mode = 'on', always = [] } = options;
  const verbatim = verbatimTools(tools);
  const server = [...new Set(tools.map((tool) => tool.server))].join(', ');
  // An agent keeps the tools that it was made with, so none that comes later may be found.
  const search = startToolSearch([...tools], { mode, always, server, binds: true });
  if (!search) return { ...verbatim, name: 'toolSearch' };
  const exposed = exposedBySearch(search, tools);
  const searches = new Set(search.own.map(({ name }) => name));
  const alwaysExposed = new Set(exposed.map(({ name }) => name));
  const searched = new Set(tools.map(({ name }) => name));
  return {
    name: 'toolSearch',
    tools: [...tools.filter((tool) => !exposed.includes(tool)), ...exposed],
    wrapModelCall(request, handler) {
      const found = foundIn(request.messages, searches);
      const isSent = (name: string) => !searched.has(name) || alwaysExposed.has(name) || found.has(name);
      const nameOf = (tool: unknown) => (isObject(tool) && typeof tool['name'] === 'string' ? tool['name'] : '');
      const sent = request.tools.filter((tool) => isSent(nameOf(tool)));
      return verbatim.wrapModelCall({ ...request, tools: sent }, handler);
    },
  };
}

/**
 * The tools found by searches, read from their messages, so that they are known wherever the conversation continues.
 */
function foundIn(messages: readonly BaseMessage[], searches: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  for (const message of messages) {
    if (!ToolMessage.isInstance(message) || !searches.has(message.name ?? '')) continue;
    for (const name of listOf(valueAt(message.artifact, '/found'))) if (typeof name === 'string') found.add(name);
  }
  return found;
}

class SearchTool extends McpTool {
  readonly #search: ToolSearch;
  readonly #tools: ReadonlyMap<string, McpTool>;

  /** @internal */
  constructor(definition: ModelTool, search: ToolSearch, tools: ReadonlyMap<string, McpTool>, server: string) {
    const call = () => Promise.reject(new Error(`"${definition.name}" calls no server itself.`));
    super({ ...definition, schema: schemaFor(definition.schema, {}, () => {}), server, call, options: {} });
    this.#search = search;
    this.#tools = tools;
  }

  protected override async _call(
    input: unknown,
    run?: CallbackManagerForToolRun,
    config: ToolRunnableConfig = {},
  ): Promise<MessageContent> {
    const { toolCall, ...rest } = config;
    const answer = this.#search.answer(this.name, input);
    if (answer?.kind !== 'call') {
      const { text = '', isError = true, found = [] } = answer ?? {};
      const artifact = { found: found.map(({ name }) => name) };
      return this.#message(toolCall?.id, { content: text, status: isError ? 'error' : 'success', artifact });
    }
    const tool = this.#tools.get(answer.tool.name);
    if (!tool) throw new ConfigurationError(`The tool ${answer.tool.name} is not among those that are searched.`);
    const args = answer.arguments as Record<string, unknown>; // whatever it is, the tool's own schema decides
    const inner: ToolRunnableConfig = { ...rest, runName: tool.name, ...(run && { callbacks: run.getChild() }) };
    if (toolCall?.id === undefined)
      return await tool.invoke(args, inner).catch((error: unknown) => {
        if (error instanceof InvalidToolInputException) error.message = answer.refusal(error.message);
        throw error;
      });
    const output: unknown = await tool.invoke({ type: 'tool_call', id: toolCall.id, name: tool.name, args }, inner);
    if (!ToolMessage.isInstance(output)) return output as MessageContent; // a hook's word
    const { content, status } = output;
    const artifact: unknown = output.artifact;
    const isRefusal = valueAt(artifact, '/error/code') === 'INVALID_ARGUMENTS' && typeof content === 'string';
    const shown = isRefusal ? answer.refusal(content) : content;
    const { metadata = {} } = tool;
    return this.#message(toolCall.id, { content: shown, artifact, ...(status && { status }), metadata });
  }

  /** Under the name that the model called: some providers insist on it. */
  #message(id: string | undefined, fields: Omit<ToolMessageFields, 'name' | 'tool_call_id'>): MessageContent {
    if (id === undefined) return fields.content ?? '';
    return new ToolMessage({ ...fields, name: this.name, tool_call_id: id }) as unknown as MessageContent; // StructuredTool hands it on as it is
  }
}

export function exposedBySearch(search: ToolSearch, tools: readonly McpTool[]): readonly McpTool[] {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const server = [...new Set(tools.map((tool) => tool.server))].join(', ');
  return search.exposed.map((tool) => byName.get(tool.name) ?? new SearchTool(tool, search, byName, server));
}
