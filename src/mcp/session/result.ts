import { isObject, type JsonObject } from '../../json/index.js';
import { wireSlice } from '../catalogue/wire-text.js';
import type { WireText } from '../connection/envelope.js';
import type { Asked } from '../elicitation/elicitation.js';
import { ProtocolError } from '../errors/errors.js';

/** One piece of a result. Kinds that this client has never heard of are kept like all others. */
export type ContentBlock = Readonly<Record<string, unknown>> & { readonly type: string };

/** What a tool returned, nothing left out. */
export interface ToolResult {
  /** Empty where the server sent none. */
  readonly content: readonly ContentBlock[];
  /** Any JSON value; absent when the tool sent none. */
  readonly structuredContent?: unknown;
  /** Whether the tool reports that it failed; what it says about that is in `content`. */
  readonly isError: boolean;
  /** What the server asked in the middle of the call, and what became of it; absent where it asked nothing. */
  readonly asked?: readonly Asked[];
  /** The whole result object of the wire. */
  readonly raw: Readonly<Record<string, unknown>>;
  /**
   * The result object as it stood on the wire, to the character: numbers as they are written, beyond what JavaScript
   * holds of them. Made when it is asked for; absent in a result that did not come over a wire.
   */
  readonly rawText?: string | undefined;
  /** The structured content in the same way. */
  readonly structuredText?: string | undefined;
}

/**
 * Reads the result of `tools/call`. Accepts what servers send beyond the letter: no `content` beside structured
 * content, a single block instead of a list, a string instead of a block, and `toolResult` of revision 2024-10-07.
 *
 * @throws ProtocolError when `content` is something that cannot be read as blocks
 */
export function readToolResult(raw: JsonObject, wire?: WireText, asked: readonly Asked[] = []): ToolResult {
  const result: ToolResult = {
    content: readContent(raw['content']),
    ...('structuredContent' in raw
      ? { structuredContent: raw['structuredContent'] }
      : 'toolResult' in raw && { structuredContent: raw['toolResult'] }),
    isError: raw['isError'] === true,
    ...(asked.length > 0 && { asked }),
    raw,
  };
  // Not enumerable: whoever writes a result down has it there already.
  if (wire) {
    const structured = 'structuredContent' in raw ? 'structuredContent' : 'toolResult';
    Object.defineProperty(result, 'rawText', { get: () => wireSlice(wire, ['result']) });
    Object.defineProperty(result, 'structuredText', { get: () => wireSlice(wire, ['result', structured]) });
  }
  return result;
}

function readContent(content: unknown): ContentBlock[] {
  if (content === undefined || content === null) return [];
  return (Array.isArray(content) ? content : [content]).map(readBlock);
}

function readBlock(block: unknown): ContentBlock {
  if (typeof block === 'string') return { type: 'text', text: block };
  if (isObject(block)) {
    // A block without a type keeps everything it has; `type` only says that nobody said what it is.
    return typeof block['type'] === 'string' ? (block as ContentBlock) : { ...block, type: 'unknown' }; // it has a type
  }
  throw new ProtocolError(
    `A content block of the result is ${block === null ? 'null' : `of type ${typeof block}`}; expected an object.`,
  );
}
