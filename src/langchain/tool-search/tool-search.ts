import type { BaseMessage } from '@langchain/core/messages';
import { ToolMessage } from '@langchain/core/messages/tool';
import { startToolSearch, type ToolSearchMode } from '../../internal.js';
import { checkOption, checkOptions, isList, isObject, listOfTools, oneOf, texts } from '../../json/index.js';
import type { McpTool } from '../tool.js';
import { forModel, verbatimTools, type VerbatimTools } from '../verbatim-tools.js';
import { exposedBySearch } from './search-tool.js';

/** How `toolSearch` exposes tools. */
export interface ToolSearchOptions {
  /**
   * Whether the model searches always, or only where all tools would take many tokens. Default: 'on'.
   */
  readonly mode?: Exclude<ToolSearchMode, 'off'>;
  /** Tools that are always exposed, by the server's own names. */
  readonly always?: readonly string[];
}

/**
 * Middleware for many tools: the model is sent one tool, by which it searches the others; what it has found in the
 * conversation so far is bound as it is, with the schema that its server wrote. What else {@link verbatimTools} does, it
 * does, too.
 *
 * @param tools those of `mcpTools`, which the agent needs not be given as well
 */
export function toolSearch(tools: readonly McpTool[], options: ToolSearchOptions = {}): VerbatimTools {
  checkOption('toolSearch', 'tools', tools, listOfTools);
  checkOptions('toolSearch', options, { mode: oneOf('on', 'auto'), always: texts });
  const { mode = 'on', always = [] } = options;
  const server = [...new Set(tools.map((tool) => tool.server))].join(', ');
  const search = startToolSearch(tools, { mode, always, server, binds: true });
  if (!search) return { ...verbatimTools(tools), name: 'toolSearch' };
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
      return handler(forModel({ ...request, tools: request.tools.filter((tool) => isSent(nameOf(tool))) }));
    },
  };
}

/** What searches have found stands in their messages, so that it is known wherever the conversation goes on. */
function foundIn(messages: readonly BaseMessage[], searches: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  for (const message of messages) {
    if (!ToolMessage.isInstance(message) || !searches.has(message.name ?? '')) continue;
    const artifact: unknown = message.artifact;
    const names = isObject(artifact) && isList(artifact['found']) ? artifact['found'] : [];
    for (const name of names) if (typeof name === 'string') found.add(name);
  }
  return found;
}

function nameOf(tool: unknown): string {
  return isObject(tool) && typeof tool['name'] === 'string' ? tool['name'] : '';
}
