import type { BaseMessage } from '@langchain/core/messages';
import { ToolMessage } from '@langchain/core/messages/tool';
import { startDiscovery } from '../../index.js';
import type { DiscoveryMode } from '../../index.js';
import { checkOption, checkOptions, isList, isObject, listOfTools, oneOf, texts } from '../../json/index.js';
import { providerOf } from '../provider-of-model.js';
import { McpTool } from '../tool.js';
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

/** A model call as `wrapModelCall` sees it. */
interface ModelRequest {
  model?: unknown;
  messages: BaseMessage[];
  tools: readonly unknown[];
}

/** What LangChain's `createMiddleware` takes. */
export interface DiscoverTools {
  readonly name: string;
  readonly tools: McpTool[];
  readonly wrapModelCall: <Request extends ModelRequest, Answer>(
    request: Request,
    handler: (request: Request) => Answer,
  ) => Answer;
}

/**
 * Middleware for many tools: the model is told one tool, by which it searches the others; what it has found in the
 * conversation so far is bound as it is, with the schema that its server wrote. Where the model's provider is known to
 * refuse a schema, the model is told it in another form.
 *
 * @param tools those of `mcpTools`, which the agent needs not be given as well
 */
export function discoverTools(tools: readonly McpTool[], options: DiscoverToolsOptions = {}): DiscoverTools {
  checkOption('discoverTools', 'tools', tools, listOfTools);
  checkOptions('discoverTools', options, { mode: oneOf('on-demand', 'auto'), pinned: texts });
  const { mode = 'on-demand', pinned = [] } = options;
  const server = [...new Set(tools.map((tool) => tool.server))].join(', ');
  const discovery = startDiscovery(tools, { mode, pinned, server, binds: true });
  if (!discovery)
    return {
      name: 'discoverTools',
      tools: [...tools],
      wrapModelCall: (request, handler) => handler(accepted(request)),
    };
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
      return handler(accepted({ ...request, tools: request.tools.filter((tool) => isTold(nameOf(tool))) }));
    },
  };
}

/** The request with tools that its model accepts. LangChain still calls the tools themselves, by their names. */
function accepted<Request extends ModelRequest>(request: Request): Request {
  const provider = providerOf(request.model);
  if (!provider) return request;
  return {
    ...request,
    tools: request.tools.map((tool) => (tool instanceof McpTool ? (tool.toldTo(provider) ?? tool) : tool)),
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
