import type { MessageContent } from '@langchain/core/messages';
import { CancelledError, InvalidArgumentsError, InvalidResultError, McpError } from '../index.js';
import type { Note, Repair, ToolOutcome } from '../index.js';
import { messageContent } from './content.js';
import type { Media } from './content.js';

/** What goes with a tool message for the program, not for the model. */
export interface McpToolArtifact {
  /** The machine-readable answer, where the server gave one. */
  structuredContent?: unknown;
  /** The whole answer as it came, with the fields that LangChain's content blocks have no place for. */
  result?: Readonly<Record<string, unknown>>;
  /** As the server received them. Absent when nothing was sent. */
  arguments?: Readonly<Record<string, unknown>>;
  /** What was changed in the model's arguments so that they fit the schema. */
  repairs?: readonly Repair[];
  /** Arguments that could not be checked but were let through, a result that is not as promised. */
  warnings?: readonly Note[];
  /** Why the call failed, as a program reads it. */
  error?: unknown;
}

/** A call that ended: with an answer, or with an error that the model may be told. */
export interface Outcome {
  status: 'success' | 'error';
  content: MessageContent;
  artifact: McpToolArtifact;
  /** A hook's own output, in place of the content. */
  output?: unknown;
}

/** The server's answer; `isError` is the server's own word that the call failed. */
export function answered({ result, arguments: sent, repairs, warnings }: ToolOutcome, media?: Media): Outcome {
  return {
    status: result.isError ? 'error' : 'success',
    content: messageContent(result, media),
    artifact: {
      ...(result.structuredContent !== undefined && { structuredContent: result.structuredContent }),
      result: result.raw,
      arguments: sent,
      repairs,
      warnings,
    },
  };
}

/** A human said no. */
export function declined(tool: string, reason: string | undefined): Outcome {
  const why = reason === undefined ? '' : ` Reason: ${reason}`;
  return {
    status: 'error',
    content: `The user did not approve this call of "${tool}", so it was not made.${why}`,
    artifact: { error: { code: 'NOT_APPROVED', ...(reason !== undefined && { reason }) } },
  };
}

/**
 * An error as the model may be told it. Undefined for what is not about the call (a programming error, LangGraph's
 * interrupts) and for a cancelled run, whose caller wants to hear of it, not its model.
 */
export function failed(error: unknown): Outcome | undefined {
  if (error instanceof InvalidArgumentsError) {
    return { status: 'error', content: error.message, artifact: { error: error.report } };
  }
  if (error instanceof InvalidResultError) {
    return {
      status: 'error',
      content: error.message,
      artifact: { result: error.result.raw, error: { code: error.code } },
    };
  }
  if (!(error instanceof McpError) || error instanceof CancelledError) return undefined;
  const hint = error.hint === undefined ? '' : ` ${error.hint}`;
  return {
    status: 'error',
    content: `${error.message}${hint}`,
    artifact: { error: { code: error.code, message: error.message } },
  };
}
