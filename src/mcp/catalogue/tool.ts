import { jsonText } from '../../json/index.js';
import type { ToolText } from '../wire/wire-text.js';

/** A note on something odd, with a stable code. */
export interface Note {
  readonly code: string;
  readonly message: string;
  /** Where in the input schema, as a JSON Pointer fragment such as `#/properties/a`. */
  readonly schemaLocation?: string;
}

/** A tool as its server described it. */
export interface CatalogueTool {
  /** What the server is called with; see {@link modelTools} for names that model providers take. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** What stood on the wire, frozen: never converted, reordered, completed or trimmed. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** It may be anything. */
  readonly outputSchema?: unknown;
  /** The server's hints, such as `readOnlyHint`; its word, not a proof. */
  readonly annotations?: Readonly<Record<string, unknown>> | undefined;
  /** The whole tool object of the wire, frozen, fields that nobody knows yet included. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** The same to the character; absent where the tool was not read from a wire. */
  readonly text?: ToolText | undefined;
  /** What is odd about it, although it can be called. Computed when first asked for. */
  readonly notes: readonly Note[];
}

/** To the character where it was read from a wire. */
export function definitionText({ text, definition }: CatalogueTool): string {
  return text?.definition ?? jsonText(definition);
}

/** An entry of the list that cannot be called, and why. */
export interface SkippedTool {
  readonly name?: string;
  /** Its place in the list, from 0. */
  readonly position: number;
  /** The entry as it came; of one that nests too deeply for JSON, the name only. */
  readonly definition: unknown;
  readonly reason: Note;
}

/** What a server listed, in its order, nothing left out. */
export interface Catalogue {
  /** What the server says about how its tools want to be used, where a session asked it. */
  readonly instructions?: string | undefined;
  /** What the server says that it is, as it came, where a session asked it: `name`, `title` and more. */
  readonly serverInfo?: Readonly<Record<string, unknown>> | undefined;
  /** What can be called; the names are unique. */
  readonly tools: readonly CatalogueTool[];
  readonly skipped: readonly SkippedTool[];
  find(name: string): CatalogueTool | undefined;
}

/** What a list is read for. */
export interface ReadCatalogueOptions {
  /**
   * Whether calls repeat arguments as HTTP headers, so that an invalid `x-mcp-header` makes a tool unusable
   * (2026-07-28, Streamable HTTP). Default false.
   */
  mirrorsHeaders?: boolean;
}
