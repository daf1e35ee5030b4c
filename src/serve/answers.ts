import { McpError, ServerError, unknownOutcome } from '../internal.js';
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
function errorText(error: unknown, isShared: boolean): string {
  if (error instanceof AnsweredError) return error.text;
  if (error instanceof Refusal) return jsonText({ code: error.code, message: error.message, data: error.data });
  if (error instanceof ServerError)
    return jsonText({ code: error.rpcCode, message: error.details ?? error.message, data: error.data });
  if (!(error instanceof McpError)) return jsonText({ code: codes.internal, message: messageOf(error) });
  const { title, message, hint, outcomeUnknown } = error;
  const reason = isShared ? title : message;
  return jsonText({
    code: codes.internal,
    message: sentences(reason, outcomeUnknown ? unknownOutcome : undefined, hint),
  });
}

/** @param isShared whether the server is other clients' as well, so that what it printed is not for this one to read */
export function failed(error: unknown, isShared = false): AnswerText {
  return { error: errorText(error, isShared) };
}
