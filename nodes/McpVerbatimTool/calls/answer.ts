import { type INodeExecutionData, NodeOperationError } from 'n8n-workflow';
import {
  blockBytes,
  callTool,
  type CatalogueTool,
  InvalidArgumentsError,
  type ModelTool,
  resultText,
  type ToolResult,
} from '../../../src/internal.js';
import { isObject, parseJson } from '../../../src/json/index.js';
import type { RunContext } from '../../host/execution.js';
import { withSession } from '../../connection/session.js';
import { hintOutcome } from '../../hints.js';
import { attach } from '../../items.js';
import { logCalled, logRefused } from '../../log.js';
import type { NodeOptions } from '../../options/read.js';
import type { ExposedTools } from '../exposed/exposed-tools.js';

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
 * A call for a model, from its arguments to the answer. What the tool reports as an error is an answer, which the model
 * reads; so are arguments that do not fit, unless the node is to fail on them. Everything else (no connection, no answer
 * in time) is thrown.
 */
export async function answerCall(
  context: RunContext,
  itemIndex: number,
  exposed: ExposedTools,
  called: CalledTool,
  args: unknown,
  options: NodeOptions,
): Promise<Answer> {
  const { name, tool } = called;
  const found = exposed.search?.answer(name, args);
  if (found?.kind === 'text') return { text: found.text, isError: found.isError, isRefusal: false };
  if (found) {
    const answer = await answerCall(context, itemIndex, exposed, found.tool, found.arguments, options);
    return answer.isRefusal ? { ...answer, text: found.refusal(answer.text) } : answer;
  }
  const notice = exposed.notices.find((each) => each.name === name);
  if (notice) return { text: notice.text, isError: exposed.unreachable !== undefined, isRefusal: false };
  const outcome = await withSession(context, itemIndex, options.session, (session) =>
    callTool(session, tool, args, { ...options.tool, ...options.call, fixed: exposed.fixed.get(tool.name) }),
  ).catch((error: unknown) => {
    logRefused(context, name, error);
    if (error instanceof InvalidArgumentsError && !options.exposed.failsOnInvalid) return error;
    throw error;
  });
  if (outcome instanceof InvalidArgumentsError) return { text: outcome.message, isError: true, isRefusal: true };
  hintOutcome(context, name, outcome);
  logCalled(context, name, outcome);
  const { result } = outcome;
  const text = resultText(result, options.exposed.maxResultLength);
  return { text, isError: result.isError, isRefusal: false, result };
}

/**
 * The item of a call. n8n's agents put its JSON into the tool message, and nothing else of it; images, sounds and files
 * are binary data beside it, and so is the whole of a result of which the model reads a part.
 */
export async function answerItem(context: RunContext, answer: Answer): Promise<INodeExecutionData> {
  const { result, text, isError } = answer;
  const item: INodeExecutionData = { json: isError ? { response: text, isError } : { response: text } };
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

/**
 * A refusal as an error of this call alone: n8n marks it on the canvas and in the agent's log, sends the model its
 * message, and the agent goes on.
 */
export function refusedCall(context: RunContext, { text }: Answer, itemIndex: number): NodeOperationError {
  // A chat that streams shows a person nothing but the description.
  const description = 'The tool was not called. The model reads why, and can correct its arguments.';
  const error = new NodeOperationError(context.getNode(), text, { itemIndex, level: 'warning', description });
  error.message = text; // which n8n replaces where it recognises a code of its own
  return error;
}

/** Whether a tool has an argument called `tool`, which n8n's engine would overwrite (see `hostTool`). */
export function hasToolArgument({ inputSchema }: CatalogueTool): boolean {
  return isObject(inputSchema.properties) && Object.hasOwn(inputSchema.properties, 'tool');
}
