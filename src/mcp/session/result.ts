import { equals, isObject, JsonScanner, jsonText, shortened, type JsonObject } from '../../json/index.js';
import type { SecretMask } from '../../secrets/index.js';
import { unansweredLines } from '../elicitation/elicitor.js';
import { wireSlice } from '../wire/wire-text.js';
import type { Note } from '../catalogue/tool.js';
import type { WireText } from '../wire/envelope.js';
import type { Asked } from '../errors/errors.js';

/** A part of a result, of any type. */
export type ContentBlock = Readonly<Record<string, unknown>> & { readonly type: string };

/** The complete result of a tool. */
export interface ToolResult {
  /** Empty if the server sent none. */
  readonly content: readonly ContentBlock[];
  /** Any JSON value; absent if the server sent none. */
  readonly structuredContent?: unknown;
  /** True if the tool reports a failure; `content` explains it. */
  readonly isError: boolean;
  /** The server's questions during the call, and how they were answered; absent if it asked none. */
  readonly asked?: readonly Asked[];
  /** Notes of this client: a lost session, an argument that may have been rounded. */
  readonly warnings?: readonly Note[];
  /** The whole result object, as the server sent it. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** The JSON text of `raw` on the wire, with all digits of its numbers; absent if it did not come over a wire. */
  readonly rawText?: string | undefined;
  /** The JSON text of `structuredContent` on the wire. */
  readonly structuredText?: string | undefined;
}

/**
 * Accepts results that break the letter of the protocol: no `content`, a single block instead of a list, another value
 * instead of a block, and `toolResult` of 2024-10-07. The tool has run by then, so nothing in its answer may be lost.
 */
export class ReadResult implements ToolResult {
  readonly content: readonly ContentBlock[];
  declare readonly structuredContent?: unknown;
  readonly isError: boolean;
  declare readonly asked?: readonly Asked[];
  declare readonly warnings?: readonly Note[];
  readonly raw: JsonObject;
  readonly #wire: WireText | undefined;
  #structuredText: string | undefined;

  /** @param shown the part of the result to read, if the server sent more */
  constructor(
    raw: JsonObject,
    wire?: WireText,
    asked: readonly Asked[] = [],
    warnings: readonly Note[] = [],
    shown: JsonObject = raw,
  ) {
    this.content = readContent(shown['content']);
    if ('structuredContent' in shown) this.structuredContent = shown['structuredContent'];
    else if ('toolResult' in shown) this.structuredContent = shown['toolResult'];
    this.isError = isTrue(shown['isError']);
    if (asked.length > 0) this.asked = asked;
    if (warnings.length > 0) this.warnings = warnings;
    this.raw = raw;
    this.#wire = wire;
    if (this.content.some(({ type }) => !writtenKinds.includes(type))) this.#keepTexts(shown['content']);
  }

  #keepTexts(content: unknown): void {
    const text = this.#wire && wireSlice(this.#wire, ['result', 'content']);
    if (text === undefined) return;
    const json = new JsonScanner(text);
    const items = Array.isArray(content) ? json.items(json.root()) : [json.root()];
    for (const [index, item] of [...items].entries()) {
      const block = this.content[index];
      if (block) blockTexts.set(block, json.slice(item));
    }
  }

  // Not among its own properties: they would be written down twice.
  get rawText(): string | undefined {
    return this.#wire && wireSlice(this.#wire, ['result']);
  }

  get structuredText(): string | undefined {
    const name = 'structuredContent' in this.raw ? 'structuredContent' : 'toolResult';
    return (this.#structuredText ??= this.#wire && wireSlice(this.#wire, ['result', name]));
  }

  /** Hides secrets in a reported failure as in an error; the raw result, for programs, stays as received. */
  withoutSecrets(mask: Pick<SecretMask, 'known' | 'knownInJson'>): ReadResult {
    const text = this.rawText ?? jsonText(this.raw);
    const shown = mask.knownInJson(text);
    const asked = mask.known(this.asked) as ToolResult['asked']; // the same but for texts in it
    if (shown === text && equals(asked, this.asked)) return this;
    const read = JSON.parse(shown) as JsonObject; // an object's text
    return new ReadResult(this.raw, { text: `{"result":${shown}}` }, asked, this.warnings, read);
  }
}

/** Blocks whose text for a model contains no numbers of the server. */
const writtenKinds = ['text', 'image', 'audio'];

const blockTexts = new WeakMap<ContentBlock, string>();

/** The JSON of a block as its server wrote it, if it came over a wire. */
export function blockJson(block: ContentBlock): string {
  return blockTexts.get(block) ?? jsonText(block);
}

/** Lines for the model in addition to the server's words. */
export function linesBeside({ asked, warnings = [] }: ToolResult): string[] {
  return [...warnings.map(({ message }) => message), ...unansweredLines(asked)];
}

export function roundedNote(pointer: string): Note {
  const message = `The argument ${shortened(pointer, 100)} is an integer beyond 2^53, which may have been rounded before it came here.`;
  return { code: 'argument-rounded', message };
}

/** Some servers write it as a text. */
function isTrue(value: unknown): boolean {
  return value === true || (typeof value === 'string' && value.toLowerCase() === 'true');
}

function readContent(content: unknown): ContentBlock[] {
  return [content ?? []].flat().map(readBlock);
}

function readBlock(block: unknown): ContentBlock {
  if (typeof block === 'string') return { type: 'text', text: block };
  // A value that is not a block, or has no type, keeps all its members; `type` only says that it is unknown.
  if (!isObject(block)) return { type: 'unknown', value: block };
  return typeof block['type'] === 'string' ? (block as ContentBlock) : { ...block, type: 'unknown' }; // it has a type
}
