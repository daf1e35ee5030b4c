import type { INodeExecutionData, NodeOperationError } from 'n8n-workflow';
import type { CatalogueTool, ToolResult } from '../../../src/internal.js';
import { blockBytes, InvalidArgumentsError, resultText } from '../../../src/internal.js';
import { isObject, parseJson } from '../../../src/json/index.js';
import { type CalledTool, callVisibly } from '../../call.js';
import { withSession } from '../../connection/session.js';
import { operationError } from '../../errors.js';
import type { RunContext } from '../../host/execution.js';
import { attach } from '../../items.js';
import type { ExposedTools } from '../exposed/exposed-tools.js';

export interface Answer {
  text: string;
  isError?: boolean;
  isRefusal?: boolean;
  result?: ToolResult;
}

/**
 * What the tool reports as an error is an answer; so are arguments that do not fit, unless the node is to fail on them.
 * Everything else (no connection, no answer in time) is thrown.
 */
export async function answerCall(
  context: RunContext,
  itemIndex: number,
  exposed: ExposedTools,
  called: CalledTool,
  args: unknown,
): Promise<Answer> {
  const { search, notices, fixed, unreachable, options } = exposed;
  const found = search?.answer(called.name, args);
  if (found?.kind === 'text') return found;
  if (found) {
    const answer = await answerCall(context, itemIndex, exposed, found.tool, found.arguments);
    return answer.isRefusal ? { ...answer, text: found.refusal(answer.text) } : answer;
  }
  const notice = notices.find(({ name }) => name === called.name);
  if (notice) return { text: notice.text, isError: unreachable !== undefined };
  return await withSession(context, itemIndex, options.session, async (session, server) => {
    const { result } = await callVisibly(context, session, server, called, args, options, fixed.get(called.tool.name));
    return { text: resultText(result, options.exposed.maxResultLength), isError: result.isError, result };
  }).catch((error: unknown) => {
    if (!(error instanceof InvalidArgumentsError) || options.exposed.failsOnInvalid) throw error;
    return { text: error.message, isError: true, isRefusal: true };
  });
}

/**
 * n8n's agents put the item's JSON into the tool message, and nothing else of it. Images, sounds and files are binary
 * data, and so is the whole of a result of which the model reads a part.
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
  const file = await context.helpers.prepareBinaryData(Buffer.from(whole, 'utf8'), name, type);
  return { ...item, binary: { ...item.binary, answer: file } };
}

/** n8n marks such an error on the canvas and in the agent's log, sends the model its message, and the agent goes on. */
export function refusedCall(context: RunContext, { text }: Answer, itemIndex: number): NodeOperationError {
  // A chat that streams shows a person nothing but the description.
  const description = 'The tool was not called. The model reads why, and can correct its arguments.';
  return operationError(context.getNode(), text, { itemIndex, level: 'warning', description });
}

/** Whether a tool has an argument called `tool`, which n8n's engine would overwrite (see `hostTool`). */
export function hasToolArgument({ inputSchema }: CatalogueTool): boolean {
  return isObject(inputSchema.properties) && Object.hasOwn(inputSchema.properties, 'tool');
}
