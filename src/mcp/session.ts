import type { Catalogue, CatalogueTool } from './catalogue/catalogue.js';
import type { ToolResult } from './result.js';

export interface ConnectOptions {
  /** Ends the attempt. It does not end the session that came of it. */
  signal?: AbortSignal;
  /** How long the server may take to answer one request, in milliseconds, connecting included. Default 60000. */
  timeoutMs?: number;
  /** What the server is told about the client. */
  clientInfo?: { name: string; version: string };
  /** The largest single message accepted, in bytes. Default 128 MiB. */
  maxMessageBytes?: number;
  /** Bounds of a list. Default 1000 pages, 100000 entries, 128 MiB. */
  listLimits?: Partial<ListLimits>;
  /**
   * Which protocol is tried first. Default `handshake-first`: what nearly every server speaks. `stateless-first` saves
   * a round trip with servers that only know revision 2026-07-28.
   */
  revisions?: 'handshake-first' | 'stateless-first';
  /** Called with every notification of the server: log messages, changed lists, whatever it sends. */
  onNotification?: (method: string, params: Readonly<Record<string, unknown>>) => void;
}

export interface ListLimits {
  pages: number;
  entries: number;
  bytes: number;
}

export interface RequestOptions {
  /** Cancels the request; the server is told. */
  signal?: AbortSignal;
  /** How long the server may take, in milliseconds. Default: the session's. */
  timeoutMs?: number;
}

export interface CallOptions extends RequestOptions {
  /** Asks the server for progress, and is called with each report. */
  onProgress?: (progress: Progress) => void;
  /** Whether a report of progress starts `timeoutMs` anew. Needs `onProgress`. Default false. */
  resetTimeoutOnProgress?: boolean;
  /** How long the call may take in all, whatever progress is made, in milliseconds. Default: no such limit. */
  totalTimeoutMs?: number;
}

export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

/**
 * An open connection to one server. It reconnects once on its own when the server has forgotten the HTTP session; it
 * is otherwise over when the server is, and says so.
 */
export interface Session extends AsyncDisposable {
  readonly serverInfo?: { name: string; version: string; title?: string };
  readonly protocolVersion: string;
  /** How the server wants to be used, in its own words, for a model. */
  readonly instructions?: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** The transport in use: `sse` may be the outcome of a fallback. */
  readonly transport: 'http' | 'sse' | 'stdio';
  /** True once the session is of no use any more: closed, or the server is gone. */
  readonly ended: boolean;

  /** All tools, as they stood on the wire. Fetched once, and again after the server says that its list changed. */
  listTools(options?: RequestOptions): Promise<Catalogue>;
  /** Calls a tool with exactly these arguments. A result with `isError` is a result, not an exception. */
  callTool(tool: CatalogueTool, args: Record<string, unknown>, options?: CallOptions): Promise<ToolResult>;
  listResources(options?: RequestOptions): Promise<readonly Resource[]>;
  listResourceTemplates(options?: RequestOptions): Promise<readonly ResourceTemplate[]>;
  readResource(uri: string, options?: RequestOptions): Promise<readonly ResourceContents[]>;
  listPrompts(options?: RequestOptions): Promise<readonly Prompt[]>;
  getPrompt(name: string, args?: Record<string, string>, options?: RequestOptions): Promise<PromptResult>;
  /** Suggestions for an argument of a prompt or a resource template; empty where the server offers none. */
  complete(reference: CompletionReference, argument: { name: string; value: string }, options?: CompleteOptions): Promise<Completion>;
  /** Ends the session at the server, the connection and, for stdio, the process and all it started. */
  close(): Promise<void>;
}

/** Entries of the other lists, as they came; only what identifies them is typed. */
export type Resource = Readonly<Record<string, unknown>> & { readonly uri: string };
export type ResourceTemplate = Readonly<Record<string, unknown>> & { readonly uriTemplate: string };
export type Prompt = Readonly<Record<string, unknown>> & { readonly name: string };
export type ResourceContents = Readonly<Record<string, unknown>> & { readonly uri?: string; readonly text?: string; readonly blob?: string };
export type PromptResult = Readonly<Record<string, unknown>> & { readonly messages: readonly PromptMessage[] };
export type PromptMessage = Readonly<Record<string, unknown>>;
export type CompletionReference = { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string };
export interface CompleteOptions extends RequestOptions {
  /** Values already chosen for other arguments. */
  context?: Record<string, string>;
}
export interface Completion {
  readonly values: readonly string[];
  readonly total?: number;
  readonly hasMore?: boolean;
}
