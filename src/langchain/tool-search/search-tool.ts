import type { CallbackManagerForToolRun } from '@langchain/core/callbacks/manager';
import type { MessageContent } from '@langchain/core/messages';
import { ToolMessage, type ToolMessageFields } from '@langchain/core/messages/tool';
import type { ToolRunnableConfig } from '@langchain/core/tools';
import { isObject } from '../../json/index.js';
import type { ToolSearch, ModelTool } from '../../internal.js';
import { InvalidToolInputException } from '../call/outcome.js';
import { McpTool } from '../tool.js';

/** What the message of a search holds for programs: the names of the tools that were found. */
interface FoundTools {
  readonly found: readonly string[];
}

/** One of the tools by which a model finds, reads about and calls the others. */
class SearchTool extends McpTool {
  readonly #search: ToolSearch;
  readonly #tools: ReadonlyMap<string, McpTool>;

  /** @internal */
  constructor(definition: ModelTool, search: ToolSearch, tools: ReadonlyMap<string, McpTool>, server: string) {
    const session = () => Promise.reject(new Error(`"${definition.name}" calls no server itself.`));
    super({ ...definition, server, session, options: {} });
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
      const artifact: FoundTools = { found: found.map(({ name }) => name) };
      return this.#message(toolCall?.id, { content: text, status: isError ? 'error' : 'success', artifact });
    }
    const tool = this.#tools.get(answer.tool.name);
    if (!tool) throw new TypeError(`The tool ${answer.tool.name} is not among those that are searched.`);
    const args = answer.arguments as Record<string, unknown>; // whatever it is, the tool's own schema decides
    const inner: ToolRunnableConfig = { ...rest, ...(run && { callbacks: run.getChild() }) };
    if (toolCall?.id === undefined)
      return await tool.invoke(args, inner).catch((error: unknown) => {
        if (error instanceof InvalidToolInputException) error.message = answer.refusal(error.message);
        throw error;
      });
    const output: unknown = await tool.invoke({ type: 'tool_call', id: toolCall.id, name: tool.name, args }, inner);
    if (!ToolMessage.isInstance(output)) return output as MessageContent; // a hook's word
    const { content, status } = output;
    const artifact: unknown = output.artifact;
    const error = isObject(artifact) && isObject(artifact['error']) ? artifact['error'] : {};
    const isRefusal = error['code'] === 'INVALID_ARGUMENTS' && typeof content === 'string';
    const shown = isRefusal ? answer.refusal(content) : content;
    const { metadata = {} } = tool;
    return this.#message(toolCall.id, { content: shown, artifact, ...(status && { status }), metadata });
  }

  /** Under the name that the model called: some providers insist on it. */
  #message(id: string | undefined, fields: Omit<ToolMessageFields, 'name' | 'tool_call_id'>): MessageContent {
    if (id === undefined) return fields.content ?? '';
    // StructuredTool hands a tool message on as it is.
    return new ToolMessage({ ...fields, name: this.name, tool_call_id: id }) as unknown as MessageContent; // StructuredTool hands it on as it is
  }
}

/** The tools that a model is sent in place of all: those that are always exposed, and the search tools. */
export function exposedBySearch(search: ToolSearch, tools: readonly McpTool[]): McpTool[] {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const server = [...new Set(tools.map((tool) => tool.server))].join(', ');
  return search.exposed.map((tool) => byName.get(tool.name) ?? new SearchTool(tool, search, byName, server));
}
