import type { BaseMessage } from '@langchain/core/messages';
import { ToolMessage } from '@langchain/core/messages/tool';
import { startDiscovery } from '../../internal.js';
import type { DiscoveryMode } from '../../internal.js';
import { checkOption, checkOptions, isList, isObject, listOfTools, oneOf, texts } from '../../json/index.js';
import type { McpTool } from '../tool.js';
import { forModel, verbatimTools } from '../verbatim-tools.js';
import type { VerbatimTools } from '../verbatim-tools.js';
import { toldTools } from './discovery-tool.js';

/** How `discoverTools` offers tools. */
export interface DiscoverToolsOptions {
  /**
   * Whether the model searches always, or only where telling it all tools would take many tokens. Default: 'on-demand'.
   */
  readonly mode?: Exclude<DiscoveryMode, 'all'>;
  /** Tools that are told always, by the server's own names. */
  readonly pinned?: readonly string[];
}

/**
 * Middleware for many tools: the model is told one tool, by which it searches the others; what it has found in the
 * conversation so far is bound as it is, with the schema that its server wrote. What else {@link verbatimTools} does, it
 * does, too.
 *
 * @param tools those of `mcpTools`, which the agent needs not be given as well
 */
export function discoverTools(tools: readonly McpTool[], options: DiscoverToolsOptions = {}): VerbatimTools {
  checkOption('discoverTools', 'tools', tools, listOfTools);
  checkOptions('discoverTools', options, { mode: oneOf('on-demand', 'auto'), pinned: texts });
  const { mode = 'on-demand', pinned = [] } = options;
  const server = [...new Set(tools.map((tool) => tool.server))].join(', ');
  const discovery = startDiscovery(tools, { mode, pinned, server, binds: true });
  if (!discovery) return { ...verbatimTools(tools), name: 'discoverTools' };
  const told = toldTools(discovery, tools);
  const searches = new Set(discovery.own.map(({ name }) => name));
  const always = new Set(told.map(({ name }) => name));
  const searched = new Set(tools.map(({ name }) => name));
  return {
    name: 'discoverTools',
    tools: [...tools.filter((tool) => !told.includes(tool)), ...told],
    wrapModelCall(request, handler) {
      const found = foundIn(request.messages, searches);
      const isTold = (name: string) => !searched.has(name) || always.has(name) || found.has(name);
      return handler(forModel({ ...request, tools: request.tools.filter((tool) => isTold(nameOf(tool))) }));
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
