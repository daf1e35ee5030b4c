import type { IDataObject } from 'n8n-workflow';
import type { CatalogueTool, Session, ToolOutcome } from '../../src/index.js';
import { isInvalidArguments } from '../errors.js';
import { library } from '../library.js';
import type { NodeOptions } from '../options/read.js';

export type Answer =
  | { kind: 'result'; text: string; isError: boolean; outcome: ToolOutcome }
  | { kind: 'refusal'; text: string; isError: true; error: Error };

/**
 * Calls the tool for a model. What the tool reports as an error is a result, which the model reads; arguments that do
 * not fit are a refusal, which it reads as well unless the node is to fail on them. Everything else (no connection, no
 * answer in time) is thrown.
 */
export async function answerCall(
  session: Session,
  tool: CatalogueTool,
  args: unknown,
  options: NodeOptions,
): Promise<Answer> {
  const { callTool, resultText } = await library();
  return await callTool(session, tool, args, options.call).then(
    (outcome) => ({ kind: 'result', text: resultText(outcome.result), isError: outcome.result.isError, outcome }),
    (error: unknown) => refusal(error),
  );
}

/** The item of a call; n8n's agents put it into the tool message. */
export function answerJson(answer: Answer): IDataObject {
  return answer.isError ? { response: answer.text, isError: true } : { response: answer.text };
}

function refusal(error: unknown): Answer {
  if (!isInvalidArguments(error)) throw error;
  return { kind: 'refusal', text: error.message, isError: true, error };
}
