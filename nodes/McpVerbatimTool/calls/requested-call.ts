import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isObject } from '../../../src/json/index.js';
import { agentItem, path, requestedAction } from '../../host/agent-item.js';

export interface RequestedCall {
  /** The name the model called; absent where the engine did not say. */
  name?: string;
  /** As the engine has them: the argument `tool` may be its routing key instead of an argument. */
  arguments: IDataObject;
  /** Whether the name was found beside the arguments, so that `tool` may be an argument of its own. */
  namedBeside: boolean;
  /** The agent's own input item, without what the model sent; undefined where the engine does not say. */
  ownItem: INodeExecutionData | undefined;
  /** What n8n's engine has on its stack for the agent. */
  agentRun: unknown;
}

/**
 * The call that an agent's model asked for.
 *
 * The item that reaches `execute()` is a mixture: the agent's own input item, the model's arguments over it, the
 * routing key `tool` and `toolCallId` (n8n-core, requests-response.ts). The arguments alone stand in the engine's
 * request, which waits with the agent on the execution stack. Where it cannot be found (another caller, another n8n),
 * the item has to do.
 */
export function requestedCall(context: IExecuteFunctions, item: INodeExecutionData): RequestedCall {
  const { toolCallId, ...rest } = item.json;
  const waiting = requestedAction(context, toolCallId);
  const agent = { ownItem: waiting && agentItem(context, waiting), agentRun: waiting?.entry };
  const { metadata, input } = waiting?.action ?? {};
  const toolName = path(metadata, 'toolName');
  const args = isObject(input) ? ({ ...input } as IDataObject) : rest; // JSON of the engine
  if (typeof toolName === 'string') return { name: toolName, arguments: args, namedBeside: true, ...agent };
  return {
    ...(typeof args.tool === 'string' ? { name: args.tool } : {}),
    arguments: args,
    namedBeside: false,
    ...agent,
  };
}
