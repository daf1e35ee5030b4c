import { type IDataObject, NodeOperationError } from 'n8n-workflow';
import {
  callTool,
  type CatalogueTool,
  InvalidArgumentsError,
  type ModelTool,
  resultText,
  type Session,
} from '../../../src/index.js';
import { isObject } from '../../../src/json/index.js';
import type { RunContext } from '../../connection/execution.js';
import { hintOutcome } from '../../hints.js';
import { logCalled, logRefused } from '../../log.js';
import type { NodeOptions } from '../../options/read.js';

/** What the model reads of a call. */
export interface Answer {
  text: string;
  isError: boolean;
  /** Whether the arguments were refused, and the tool not called. */
  isRefusal: boolean;
}

/**
 * A call for a model, from its arguments to the answer, whoever of n8n asked for it. What the tool reports as an error
 * is an answer, which the model reads; so are arguments that do not fit, unless the node is to fail on them. Everything
 * else (no connection, no answer in time) is thrown.
 */
export async function answerCall(
  context: RunContext,
  session: Session,
  { name, tool }: Pick<ModelTool, 'name' | 'tool'>,
  args: unknown,
  options: NodeOptions,
): Promise<Answer> {
  const refusal = (error: unknown) => {
    logRefused(context, name, error);
    if (!(error instanceof InvalidArgumentsError) || options.invalidArguments === 'fail') throw error;
    return error;
  };
  const outcome = await callTool(session, tool, args, options.call).catch(refusal);
  if (outcome instanceof InvalidArgumentsError) {
    return { text: outcome.message, isError: true, isRefusal: true };
  }
  hintOutcome(context, name, outcome);
  logCalled(context, name, outcome);
  return { text: resultText(outcome.result), isError: outcome.result.isError, isRefusal: false };
}

/** The item of a call; n8n's agents put it into the tool message. */
export function answerJson({ text, isError }: Answer): IDataObject {
  return isError ? { response: text, isError } : { response: text };
}

/**
 * A refusal as an error of this call alone: n8n marks it on the canvas and in the agent's log, tells the model its
 * message, and the agent goes on.
 */
export function refusedCall(context: RunContext, { text }: Answer, itemIndex: number): NodeOperationError {
  const error = new NodeOperationError(context.getNode(), text, { itemIndex, level: 'warning' });
  error.message = text; // which n8n replaces where it recognises a code of its own
  return error;
}

/** Whether a tool has an argument called `tool`, which n8n's engine would overwrite (see `hostTool`). */
export function hasToolArgument({ inputSchema }: CatalogueTool): boolean {
  return isObject(inputSchema.properties) && Object.hasOwn(inputSchema.properties, 'tool');
}
