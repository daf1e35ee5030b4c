import { isOwnInstance, ownClass } from '../../json/index.js';
import type { MessageContent } from '@langchain/core/messages';
import { ToolInputParsingException } from '@langchain/core/tools';
import type { ConnectionError, Note, Repair, ToolOutcome } from '../../internal.js';
import { CancelledError, InvalidArgumentsError, InvalidResultError, isRequestFailure } from '../../internal.js';
import { messageForModel } from '../../internal.js';
import { jsonText, lostNumbersIn } from '../../json/index.js';
import { messageContent, type Media } from './content.js';
import { resultForModel, type OutputHandling } from './output-handling.js';

/** The data beside a tool message, for the program and not for the model. */
export interface McpToolArtifact {
  /** The result's structured content; absent if the server sent none. */
  structuredContent?: unknown;
  /** Its JSON text on the wire; only if JavaScript does not hold one of its numbers. */
  structuredText?: string;
  /** The whole result object, as the server sent it. */
  result?: Readonly<Record<string, unknown>>;
  /** The arguments that the server received; absent if nothing was sent. */
  arguments?: Readonly<Record<string, unknown>>;
  /** The changes to the model's arguments that made them fit the schema. */
  repairs?: readonly Repair[];
  /** Arguments that could not be checked but were let through, a result that is not as promised. */
  warnings?: readonly Note[];
  /** The error of a call that failed; an error of this package has a `code`. */
  error?: unknown;
}

export interface Outcome {
  status: 'success' | 'error';
  content: MessageContent;
  artifact: McpToolArtifact;
  output?: unknown;
}

/** The server said that the call failed (`isError`), and there is no tool message whose status could say so. */
export class McpToolError extends Error {
  /** @internal */
  static readonly [ownClass] = 'McpToolError';
  override readonly name = 'McpToolError';
  readonly code = 'TOOL_ERROR';
  /** The tool's name at its server. */
  readonly tool: string;
  readonly content: MessageContent;
  declare readonly artifact: McpToolArtifact;

  /** @internal */
  static override readonly [Symbol.hasInstance] = isOwnInstance;

  /** @internal */
  constructor(tool: string, content: MessageContent, artifact: McpToolArtifact) {
    super(typeof content === 'string' ? content : jsonText(content));
    this.tool = tool;
    this.content = content;
    // It holds fixed arguments: it is for the program, and not for a log that the error is written to.
    Object.defineProperty(this, 'artifact', { value: artifact });
  }
}

/** LangChain's own error for arguments that do not fit. */
export class InvalidToolInputException extends ToolInputParsingException {
  /** @internal */
  static readonly [ownClass] = 'InvalidToolInputException';
  readonly code = 'INVALID_ARGUMENTS';
  readonly violations: InvalidArgumentsError['violations'];
  /** The same for programs, values that may be secrets masked. */
  readonly report: InvalidArgumentsError['report'];

  /** @internal */
  static override readonly [Symbol.hasInstance] = isOwnInstance;

  /** @internal */
  constructor(error: InvalidArgumentsError, received: unknown) {
    super(error.message, jsonText(received));
    this.name = 'InvalidToolInputException';
    this.violations = error.violations;
    this.report = error.report;
    this.cause = error;
  }
}

export function answered(
  { result, arguments: sent, repairs, warnings }: ToolOutcome,
  options: { media?: Media; maxResultLength?: number; outputHandling?: OutputHandling },
): Outcome {
  const { media, maxResultLength, outputHandling } = options;
  const { structuredContent, isError, raw } = result;
  const { structuredText: text = '' } = result;
  const isExact = lostNumbersIn(text).length === 0;
  const structured = structuredContent !== undefined && {
    structuredContent,
    ...(!isExact && { structuredText: text }),
  };
  return {
    status: isError ? 'error' : 'success',
    content: messageContent(resultForModel(result, outputHandling), media, maxResultLength),
    artifact: { ...structured, result: raw, arguments: sent, repairs, warnings },
  };
}

/**
 * An error in words for the model. Undefined for errors that are not about the call (a programming error, LangGraph's
 * interrupts), and for a cancelled run, which concerns the caller and not the model.
 */
export function failed(error: unknown): Outcome | undefined {
  const content = messageForModel(error) ?? '';
  if (error instanceof InvalidArgumentsError) return { status: 'error', content, artifact: { error: error.report } };
  if (error instanceof InvalidResultError) {
    const { result, code } = error;
    return { status: 'error', content, artifact: { result: result.raw, error: { code } } };
  }
  if (!isRequestFailure(error) || error instanceof CancelledError) return undefined;
  const { message, code, hint, outcomeUnknown } = error;
  const { retryAfterMs } = error as Pick<ConnectionError, 'retryAfterMs'>; // undefined for other errors
  const about = { ...(hint !== undefined && { hint }), ...(retryAfterMs !== undefined && { retryAfterMs }) };
  const artifact = { error: { code, message, outcomeUnknown, ...about } };
  return { status: 'error', content, artifact };
}
