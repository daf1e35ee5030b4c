import { McpError, ServerError, unknownOutcome } from '../index.js';
import { jsonText, messageOf, sentences } from '../json/index.js';
import type { AnswerText } from '../mcp/index.js';

/** The codes of JSON-RPC and MCP that are used here. */
export const codes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  unsupportedRevision: -32022,
};

/** An error that a client is answered with as it is. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** An error that is written already. */
export class AnsweredError extends Error {
  override readonly name = 'AnsweredError';

  constructor(readonly text: string) {
    super(text);
  }
}

/** What a client is answered where there is no result: the server's own error, or the reason and what to do about it. */
function errorText(error: unknown): string {
  if (error instanceof AnsweredError) return error.text;
  if (error instanceof Refusal) return jsonText({ code: error.code, message: error.message, data: error.data });
  if (error instanceof ServerError)
    return jsonText({ code: error.rpcCode, message: error.details ?? error.message, data: error.data });
  const { message, hint, outcomeUnknown } =
    error instanceof McpError ? error : { message: messageOf(error), hint: undefined, outcomeUnknown: false };
  return jsonText({
    code: codes.internal,
    message: sentences(message, outcomeUnknown ? unknownOutcome : undefined, hint),
  });
}

export function failed(error: unknown): AnswerText {
  return { error: errorText(error) };
}
