import { isRequestFailure, ServerError, unknownOutcome } from '../internal.js';
import { jsonText, messageOf, sentences } from '../json/index.js';

export const codes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  sessionNotFound: -32001,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedRevision: -32022,
};

/** An error that a client gets: over HTTP with a status, 400 if the error names none. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly code: number,
    message: string,
    readonly more: { data?: string | undefined; status?: number; headers?: Record<string, string> } = {},
  ) {
    super(message);
  }

  get text(): string {
    const { code, message, more } = this;
    return `{"code":${code},"message":${JSON.stringify(message)}${more.data === undefined ? '' : `,"data":${more.data}`}}`;
  }
}

export function httpRefusal(status: number, message: string, headers: Record<string, string> = {}): Refusal {
  return new Refusal(-32000, message, { status, headers });
}

/** @param isShared true if other clients use the server as well: then its output is left out */
export function failureOf(error: unknown, isShared: boolean): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof ServerError) {
    const { rpcCode, details = error.message, data, written } = error;
    const dataText = written?.dataText ?? (data === undefined ? undefined : jsonText(data));
    return new Refusal(rpcCode ?? codes.internal, written?.message ?? details, { data: dataText });
  }
  if (!isRequestFailure(error)) return new Refusal(codes.internal, messageOf(error));
  const { title, message, hint, outcomeUnknown } = error;
  const outcome = outcomeUnknown ? unknownOutcome : undefined;
  return new Refusal(codes.internal, sentences(isShared ? title : message, outcome, hint));
}
