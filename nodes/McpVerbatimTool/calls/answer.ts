import { type IDataObject, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';
import {
  blockBytes,
  callTool,
  type CatalogueTool,
  InvalidArgumentsError,
  type ModelTool,
  resultText,
  type Session,
  type ToolResult,
} from '../../../src/internal.js';
import { isObject, parseJson } from '../../../src/json/index.js';
import type { RunContext } from '../../connection/execution.js';
import { attach } from '../../items.js';
import type { Offer } from '../exposed/offered-tools.js';
import { hintOutcome } from '../../hints.js';
import { logCalled, logRefused } from '../../log.js';
import type { NodeOptions } from '../../options/read.js';

/** What the model reads of a call. */
export interface Answer {
  text: string;
  isError: boolean;
  /** Whether the arguments were refused, and the tool not called. */
  isRefusal: boolean;
  /** All that the server answered; absent where it was not asked. */
  result?: ToolResult;
}

/** A tool that was called, by the name that the model has for it. */
export type CalledTool = Pick<ModelTool, 'name' | 'tool'>;

/**
 * A call for a model, from its arguments to the answer, whoever of n8n asked for it. What the tool reports as an error
 * is an answer, which the model reads; so are arguments that do not fit, unless the node is to fail on them. Everything
 * else (no connection, no answer in time) is thrown.
 */
export async function answerCall(
  context: RunContext,
  session: Session,
  offer: Offer,
  { name, tool }: CalledTool,
  args: unknown,
  options: NodeOptions,
): Promise<Answer> {
  const found = offer.search?.answer(name, args);
  if (found?.kind === 'text') return { text: found.text, isError: found.isError, isRefusal: false };
  if (found) {
    const answer = await answerCall(context, session, offer, found.tool, found.arguments, options);
    return answer.isRefusal ? { ...answer, text: found.refusal(answer.text) } : answer;
  }
  const notice = offer.notices.find((each) => each.name === name);
  if (notice) return { text: notice.text, isError: false, isRefusal: false };
  const refusal = (error: unknown) => {
    logRefused(context, name, error);
    if (!(error instanceof InvalidArgumentsError) || options.invalidArguments === 'fail') throw error;
    return error;
  };
  const fixed = offer.fixed.get(tool.name);
  const outcome = await callTool(session, tool, args, { ...options.tool, ...options.call, fixed }).catch(refusal);
  if (outcome instanceof InvalidArgumentsError) {
    return { text: outcome.message, isError: true, isRefusal: true };
  }
  hintOutcome(context, name, outcome);
  logCalled(context, name, outcome);
  const { result } = outcome;
  return { text: resultText(result, options.offer.maxResultLength), isError: result.isError, isRefusal: false, result };
}

/**
 * The item of a call. n8n's agents put its JSON into the tool message, and nothing else of it; images, sounds and files
 * are binary data beside it, and so is the whole of an answer of which the model reads a part.
 */
export async function answerItem(context: RunContext, answer: Answer): Promise<INodeExecutionData> {
  const item: INodeExecutionData = { json: answerJson(answer) };
  const { result, text } = answer;
  for (const block of result?.content ?? []) {
    const bytes = blockBytes(block);
    if (bytes) await attach(context, item, bytes.data, bytes.mimeType);
  }
  const whole = result && resultText(result);
  if (whole === undefined || whole === text) return item;
  const [name, type] =
    parseJson(whole) === undefined ? ['answer.txt', 'text/plain'] : ['answer.json', 'application/json'];
  item.binary = {
    ...item.binary,
    answer: await context.helpers.prepareBinaryData(Buffer.from(whole, 'utf8'), name, type),
  };
  return item;
}

function answerJson({ text, isError }: Answer): IDataObject {
  return isError ? { response: text, isError } : { response: text };
}

/**
 * A refusal as an error of this call alone: n8n marks it on the canvas and in the agent's log, tells the model its
 * message, and the agent goes on.
 */
export function refusedCall(context: RunContext, { text }: Answer, itemIndex: number): NodeOperationError {
  // A chat that streams shows a person nothing but the description.
  const description = 'The tool was not called. The model is told why, and can correct its arguments.';
  const error = new NodeOperationError(context.getNode(), text, { itemIndex, level: 'warning', description });
  error.message = text; // which n8n replaces where it recognises a code of its own
  return error;
}

/** Whether a tool has an argument called `tool`, which n8n's engine would overwrite (see `hostTool`). */
export function hasToolArgument({ inputSchema }: CatalogueTool): boolean {
  return isObject(inputSchema.properties) && Object.hasOwn(inputSchema.properties, 'tool');
}
