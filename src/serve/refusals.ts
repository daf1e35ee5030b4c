import { McpError, unknownOutcome } from '../index.js';
import { messageOf, sentences } from '../json/index.js';
import { RefusedRequest, type AnswerText } from '../mcp/index.js';

/** The codes of JSON-RPC that are used here. */
export const errorCodes = { invalidParams: -32602, methodNotFound: -32601, internal: -32603 };

export function refused(code: number, message: string): RefusedRequest {
  return new RefusedRequest(JSON.stringify({ code, message }));
}

export function errorAnswer(code: number, message: string): AnswerText {
  return { error: refused(code, message).errorText };
}

/** What the client hears when a server gave no answer: the reason, and what to do about it. */
export function answerFor(error: unknown): AnswerText {
  if (error instanceof RefusedRequest) return { error: error.errorText };
  const { message, hint, outcomeUnknown } =
    error instanceof McpError ? error : { message: messageOf(error), hint: undefined, outcomeUnknown: false };
  return errorAnswer(errorCodes.internal, sentences(message, outcomeUnknown ? unknownOutcome : undefined, hint));
}
