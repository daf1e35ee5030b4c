import { jsonText } from '../../json/index.js';
import type { ToolText } from '../wire/wire-text.js';

/** A note on something odd, with a stable code. */
export interface Note {
  readonly code: string;
  readonly message: string;
  /** The location in the input schema, as a JSON Pointer fragment such as `#/properties/a`. */
  readonly schemaLocation?: string;
}

/** A tool as its server described it. */
export interface CatalogueTool {
  /** The name for calls to the server; see {@link modelTools} for names that model providers accept. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** The JSON Schema of the arguments, frozen, exactly as the server sent it. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Unchecked: any JSON value. */
  readonly outputSchema?: unknown;
  /** The server's hints, such as `readOnlyHint`; its word, not a proof. */
  readonly annotations?: Readonly<Record<string, unknown>> | undefined;
  /** The whole tool object, frozen, exactly as the server sent it. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** The tool's JSON text on the wire; absent if it was not read from a wire. */
  readonly text?: ToolText | undefined;
  /** Notes on the tool's oddities. It can be called all the same. */
  readonly notes: readonly Note[];
}

/** The definition's JSON, to the character if it was read from a wire. */
export function definitionText({ text, definition }: CatalogueTool): string {
  return text?.definition ?? jsonText(definition);
}

/** An entry of the list that cannot be called, and why. */
export interface SkippedTool {
  readonly name?: string;
  /** The entry's index in the list. */
  readonly position: number;
  /** The entry as the server sent it; only its name if it nests too deeply for JSON. */
  readonly definition: unknown;
  readonly reason: Note;
}

/** A server's list, in its order, complete. */
export interface Catalogue {
  /** The server's instructions for a model; absent if it has none, or no session read the list. */
  readonly instructions?: string | undefined;
  /** The server's `name`, `title` and more, unchecked; absent if no session read the list. */
  readonly serverInfo?: Readonly<Record<string, unknown>> | undefined;
  /** The tools that can be called. Their names are unique. */
  readonly tools: readonly CatalogueTool[];
  readonly skipped: readonly SkippedTool[];
  find(name: string): CatalogueTool | undefined;
}

/** The purpose for which a list is read. */
export interface ReadCatalogueOptions {
  /**
   * True if calls repeat arguments as HTTP headers, so that an invalid `x-mcp-header` makes a tool unusable
   * (2026-07-28, Streamable HTTP). Default false.
   */
  mirrorsHeaders?: boolean;
}
