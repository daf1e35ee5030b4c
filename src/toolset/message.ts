import { sentences } from '../json/index.js';
import { isRequestFailure, unknownOutcome } from '../mcp/index.js';
import { FixedArgumentsError, InvalidArgumentsError, InvalidResultError } from '../tool/index.js';

/**
 * What a model reads of a call that failed; undefined for an error that is not about the call. Hints are left out: they
 * are advice for whoever runs the program, and a model can raise no timeout.
 */
export function messageForModel(error: unknown): string | undefined {
  if (isRequestFailure(error)) return sentences(error.message, error.outcomeUnknown ? unknownOutcome : undefined);
  const isAboutCall = [InvalidArgumentsError, InvalidResultError, FixedArgumentsError].some(
    (kind) => error instanceof kind,
  );
  return isAboutCall ? (error as Error).message : undefined;
}
