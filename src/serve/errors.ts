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

/**
 * The answer where there is no result: the server's own error, or the reason and what to do about it.
 *
 * @param isShared whether other clients use the server as well: then what it printed is left out
 */
export function failed(error: unknown, isShared: boolean): AnswerText {
  return { error: jsonText(errorOf(error, isShared)) };
}

function errorOf(error: unknown, isShared: boolean): object {
  if (error instanceof Refusal) return { code: error.code, message: error.message, data: error.data };
  if (error instanceof ServerError)
    return { code: error.rpcCode, message: error.details ?? error.message, data: error.data };
  if (!(error instanceof McpError)) return { code: codes.internal, message: messageOf(error) };
  const { title, message, hint, outcomeUnknown } = error;
  const reason = isShared ? title : message;
  return { code: codes.internal, message: sentences(reason, outcomeUnknown ? unknownOutcome : undefined, hint) };
}
