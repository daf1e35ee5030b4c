import { isRequestFailure, ServerError, unknownOutcome } from '../internal.js';
import { jsonText, messageOf, sentences } from '../json/index.js';

export const codes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedRevision: -32022,
};

export class Refusal extends Error {
  override readonly name = 'Refusal';

  /** @param data as JSON */
  constructor(
    readonly code: number,
    message: string,
    readonly data?: string,
  ) {
    super(message);
  }

  get text(): string {
    const { code, message, data } = this;
    return `{"code":${code},"message":${JSON.stringify(message)}${data === undefined ? '' : `,"data":${data}`}}`;
  }
}

/** A refusal with an HTTP status; other refusals have 400. */
export class HttpRefusal extends Refusal {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Record<string, string> = {},
    code = -32000,
  ) {
    super(code, message);
  }
}

/** @param isShared true if other clients use the server as well: then its output is left out */
export function failureOf(error: unknown, isShared: boolean): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof ServerError) {
    const { rpcCode, details = error.message, data, written } = error;
    const dataText = written?.dataText ?? (data === undefined ? undefined : jsonText(data));
    return new Refusal(rpcCode ?? codes.internal, written?.message ?? details, dataText);
  }
  if (!isRequestFailure(error)) return new Refusal(codes.internal, messageOf(error));
  const { title, message, hint, outcomeUnknown } = error;
  return new Refusal(
    codes.internal,
    sentences(isShared ? title : message, outcomeUnknown ? unknownOutcome : undefined, hint),
  );
}
