import type { BaseMessage } from '@langchain/core/messages';
import { ToolMessage } from '@langchain/core/messages/tool';
import { type Api, type Provider, retryLost, warnOfMany } from '../internal.js';
import { checkOption, isList, isObject, listOfTools } from '../json/index.js';
import { mediaAsText } from './call/content.js';
import { apiOf, providerOf, modelSeesMedia } from './provider-of-model.js';
import { McpTool } from './tool.js';

/** A request as `wrapModelCall` gets it. */
export interface ModelRequest {
  /** The model of this request. */
  model?: unknown;
  /** The conversation so far. */
  messages: BaseMessage[];
  /** The tools that the model gets. */
  tools: readonly unknown[];
  /** Other settings of the request to the model. */
  modelSettings?: Record<string, unknown>;
  /** The form of the answer, if any was asked for. */
  responseFormat?: unknown;
}

/** The middleware type of LangChain's `createMiddleware`. */
export interface VerbatimTools {
  readonly name: string;
  readonly tools: McpTool[];
  readonly wrapModelCall: <Request extends ModelRequest, Answer>(
    request: Request,
    handler: (request: Request) => Answer,
  ) => Answer;
}

/**
 * Middleware that adapts to the model of each request: schemas that the model's provider rejects are sent in a form that
 * it accepts, all others unchanged; images in results become a line of text if the provider takes none there.
 *
 * ```ts
 * createAgent({ model, tools: [], middleware: [createMiddleware(verbatimTools(tools))] });
 * ```
 *
 * @param tools the result of `mcpTools`; the agent does not need them as well
 */
export function verbatimTools(tools: readonly McpTool[]): VerbatimTools {
  checkOption('verbatimTools', 'tools', tools, listOfTools);
  const retry = retryLost(tools);
  return {
    name: 'verbatimTools',
    tools: [...tools],
    wrapModelCall(request, handler) {
      retry();
      return handler(forModel(request));
    },
  };
}

/** The request as its model accepts it. LangChain still calls the tools themselves, by their names. */
function forModel<Request extends ModelRequest>(request: Request): Request {
  if (request.model === undefined) return request;
  const provider = providerOf(request.model);
  const api = apiOf(request.model);
  const tools = request.tools.map((tool) => (tool instanceof McpTool ? tool.sentTo(provider, api) : tool));
  const isSeen = modelSeesMedia(provider, api, request.model);
  if (provider) warnOfMany(tools.length, provider);
  return {
    ...request,
    tools,
    ...(!isSeen && { messages: request.messages.map(withoutMedia) }),
    ...(isStrictByDefault(request, provider, api) && { modelSettings: { strict: false, ...request.modelSettings } }),
  };
}

/**
 * Responses treats a tool as strict by default: optional arguments become required. A form of the answer would be read
 * with the same setting.
 */
function isStrictByDefault(request: ModelRequest, provider: Provider | undefined, api: Api | undefined): boolean {
  const isSet = isObject(request.model) && request.model['supportsStrictToolCalling'] !== undefined;
  return provider === 'openai' && api === 'responses' && !isSet && request.responseFormat === undefined;
}

function withoutMedia(message: BaseMessage): BaseMessage {
  if (!ToolMessage.isInstance(message) || !isList(message.content)) return message;
  const { content, status, tool_call_id, name, id } = message;
  const artifact: unknown = message.artifact;
  // Applies only to answers of these tools.
  if (!isObject(artifact) || !isObject(artifact['result'])) return message;
  return new ToolMessage({
    content: mediaAsText(content),
    artifact,
    tool_call_id,
    ...(status && { status }),
    ...(name !== undefined && { name }),
    ...(id !== undefined && { id }),
  });
}
