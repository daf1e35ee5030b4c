import { equals, isObject, shortened, type JsonObject } from '../../json/index.js';
import type { SecretMask } from '../../secrets/index.js';
import { unansweredLines } from '../elicitation/elicitor.js';
import { wireSlice } from '../wire/wire-text.js';
import type { WireText } from '../wire/envelope.js';
import type { Asked } from '../errors/errors.js';

/** A part of a result, of any type. */
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
  /** The place of an integer beyond 2^53 in the arguments, which had no text: it may have been rounded before. */
  readonly roundedArgument?: string;
  /** The whole result object of the wire. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** The same to the character, with numbers beyond what JavaScript holds; absent where it did not come over a wire. */
  readonly rawText?: string | undefined;
  /** The structured content in the same way. */
  readonly structuredText?: string | undefined;
}

/** What reports a failure hides what an error would; the raw result, for programs, stays as it came. */
export function withoutSecrets(result: ToolResult, mask: Pick<SecretMask, 'known'>): ToolResult {
  const { raw, ...read } = result;
  const shown = mask.known(read) as typeof read; // the same but for texts in it
  return equals(shown, read) ? result : { ...shown, raw };
}

/**
 * Accepts what servers send beyond the letter: no `content`, a single block instead of a list, something else instead
 * of a block, and `toolResult` of 2024-10-07. The tool has been run by then: nothing of what it says may be lost.
 */
export class ReadResult implements ToolResult {
  readonly content: readonly ContentBlock[];
  declare readonly structuredContent?: unknown;
  readonly isError: boolean;
  declare readonly asked?: readonly Asked[];
  declare readonly roundedArgument?: string;
  readonly raw: JsonObject;
  readonly #wire: WireText | undefined;

  constructor(raw: JsonObject, wire?: WireText, asked: readonly Asked[] = [], roundedArgument?: string) {
    this.content = readContent(raw['content']);
    if ('structuredContent' in raw) this.structuredContent = raw['structuredContent'];
    else if ('toolResult' in raw) this.structuredContent = raw['toolResult'];
    this.isError = raw['isError'] === true;
    if (asked.length > 0) this.asked = asked;
    if (roundedArgument !== undefined) this.roundedArgument = roundedArgument;
    this.raw = raw;
    this.#wire = wire;
  }

  // Not among its own properties: they would be written down twice.
  get rawText(): string | undefined {
    return this.#wire && wireSlice(this.#wire, ['result']);
  }

  get structuredText(): string | undefined {
    const name = 'structuredContent' in this.raw ? 'structuredContent' : 'toolResult';
    return this.#wire && wireSlice(this.#wire, ['result', name]);
  }
}

/** What a model has to know besides the server's words. */
export function linesBeside({ asked, roundedArgument }: ToolResult): string[] {
  const rounded = roundedArgument === undefined ? [] : [roundedLine(roundedArgument)];
  return [...rounded, ...unansweredLines(asked)];
}

export function roundedLine(pointer: string): string {
  return `The argument ${shortened(pointer, 100)} is an integer beyond 2^53, which may have been rounded before it came here.`;
}

function readContent(content: unknown): ContentBlock[] {
  if (content === undefined || content === null) return [];
  return (Array.isArray(content) ? content : [content]).map(readBlock);
}

function readBlock(block: unknown): ContentBlock {
  if (typeof block === 'string') return { type: 'text', text: block };
  // What is no block, or says no type, keeps all that it is; `type` only says that it is unknown.
  if (!isObject(block)) return { type: 'unknown', value: block };
  return typeof block['type'] === 'string' ? (block as ContentBlock) : { ...block, type: 'unknown' }; // it has a type
}
