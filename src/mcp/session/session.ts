import { aFunction, anObject, checkOptions, milliseconds, signal, text } from '../../json/index.js';
import type { JsonObject, Option } from '../../json/index.js';
import type { ServerAddress } from '../transport/address.js';
import type { Catalogue, CatalogueTool } from '../catalogue/tool.js';
import type { Progress } from '../connection/pending-requests.js';
import type { Continuation, Elicit } from '../elicitation/elicitation.js';
import type { McpError } from '../errors/errors.js';
import type { ToolResult } from './result.js';

export type { Progress };

export function serverInfoFrom({ name, version, title }: JsonObject): NonNullable<Session['serverInfo']> {
  return {
    name: typeof name === 'string' ? name : '',
    version: typeof version === 'string' ? version : '',
    ...(typeof title === 'string' && { title }),
  };
}

/** Options for opening a session, and for all of its requests. Times are milliseconds. */
export interface ConnectOptions {
  /** Ends the attempt. It does not end the opened session. */
  signal?: AbortSignal | undefined;
  /** How long the server may take to answer one request, in milliseconds, connecting included. Default 60000. */
  idleTimeoutMs?: number | undefined;
  /** How the client introduces itself to the server. */
  clientInfo?: { name: string; version: string } | undefined;
  /** The largest single message accepted, in bytes. Default 128 MiB, at most 512 MiB. */
  maxMessageBytes?: number | undefined;
  /** How long a list may be. Default 1000 pages, 100000 entries, 128 MiB. */
  listLimits?: Partial<ListLimits> | undefined;
  /**
   * Default `handshake-first`, which nearly every server supports. `stateless-first` saves a round trip with servers
   * that only know revision 2026-07-28.
   */
  revisions?: 'handshake-first' | 'stateless-first' | undefined;
  /**
   * Answers the server's questions during a call ({@link Elicit}); the time for it counts against no limit. Without it
   * the server learns that nobody can answer.
   */
  elicit?: Elicit | undefined;
  /** Called with every notification of the server. */
  onNotification?: ((method: string, params: Readonly<Record<string, unknown>>) => void) | undefined;
}

/** Bounds of a list that comes in pages; beyond them it ends in an {@link IncompleteListError}. */
export interface ListLimits {
  pages: number;
  entries: number;
  /** Bytes of all pages together. `maxMessageBytes` limits a single page. */
  bytes: number;
}

/** Options of one request. */
export interface RequestOptions {
  /** Cancels the request, at the server too. */
  signal?: AbortSignal | undefined;
  /** How long the server may take, in milliseconds. Default: the session's. */
  idleTimeoutMs?: number | undefined;
}

/** Options of one request that may take long. */
export interface ReadOptions extends RequestOptions {
  /** Called with each report of progress, and with a task's status. Each starts `idleTimeoutMs` anew. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /**
   * How long the request may take in all, in milliseconds. Default an hour, or `idleTimeoutMs` if longer. A task is
   * asked about until then, however many of these requests fail.
   */
  maxDurationMs?: number | undefined;
  /**
   * The request's `_meta`, beside the protocol's own entries. If this process uses OpenTelemetry, `traceparent` and
   * `tracestate` are added to calls of tools, unless they are given here.
   */
  meta?: Readonly<Record<string, unknown>> | undefined;
}

/** Options of one call of a tool. */
export interface CallOptions extends ReadOptions {
  /**
   * The arguments as JSON text, sent in place of `args`, so that numbers beyond 2^53 keep their digits. Must be equal
   * to `args`, otherwise a {@link ConfigurationError} is thrown.
   */
  argumentsText?: string | undefined;
  /**
   * HTTP headers of this call; they replace the address's headers of the same names. Headers of HTTP or the protocol
   * itself cannot be set. Ignored if the server is not reached over HTTP.
   */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Arguments by name whose values are masked in errors. Values that look like secrets are masked anyway. */
  hidden?: Readonly<Record<string, unknown>> | undefined;
  /** Answers the server's questions in this call. Has no effect in a session that was opened without `elicit`. */
  elicit?: Elicit | undefined;
  /** Continues a call from the `continuation` of one of its questions ({@link Elicit}). Give the same tool and arguments. */
  continuation?: Continuation | undefined;
  /**
   * Called before each sending of `tools/call`, which may be sent again on a new connection. To prevent the call, throw:
   * nothing is sent, and `callTool` throws the same error.
   */
  beforeSending?: ((connection: CallConnection) => Promise<void>) | undefined;
}

/** The connection that a call is about to be sent on. */
export interface CallConnection {
  /**
   * The tools of this connection: from memory unless the server has said that they changed, or else over the wire.
   *
   * @throws the errors of {@link Session.listTools}
   */
  listTools(): Promise<Catalogue>;
}

export const callOptions: Record<keyof CallOptions, Option> = {
  argumentsText: text,
  beforeSending: aFunction,
  continuation: anObject,
  elicit: aFunction,
  headers: anObject,
  hidden: anObject,
  idleTimeoutMs: milliseconds,
  maxDurationMs: milliseconds,
  meta: anObject,
  onProgress: aFunction,
  signal,
};
const completeOptions: Record<keyof (CallOptions & CompleteOptions), Option> = { ...callOptions, context: anObject };

export function readOptions({ signal, idleTimeoutMs, maxDurationMs, meta, onProgress }: ReadOptions): ReadOptions {
  return { signal, idleTimeoutMs, maxDurationMs, meta, onProgress };
}

/** Every request accepts the options of a call: a host may use one set for all. */
export function checkRequest(method: string, options: unknown): void {
  checkOptions(method, options, method === 'complete' ? completeOptions : callOptions);
}

/** An open connection to one server. It reconnects once on its own when the server has forgotten the HTTP session. */
export interface Session extends AsyncDisposable {
  /** The server's URL, or its program with arguments. Not enumerable, as either may hold a secret. */
  readonly address?: ServerAddress;
  /** The server's name for itself. */
  readonly serverInfo?: { name: string; version: string; title?: string };
  /** The revision agreed upon, such as `2025-11-25`. */
  readonly protocolVersion: string;
  /** How the server wants to be used, in its own words, for a model. */
  readonly instructions?: string;
  /** The server's capabilities, as received. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** The transport in use: `sse` may be the outcome of a fallback, `custom` is one of the caller's own. */
  readonly transport: 'http' | 'sse' | 'stdio' | 'custom';
  /** True once the session is of no use any more: closed, or the server is gone. */
  readonly ended: boolean;

  /**
   * All tools, as on the wire. Fetched once, and again after the server says that its list changed, or may have said so
   * unheard, after `forgetTools`, and when the list is older than the server's `ttlMs`.
   *
   * @throws IncompleteListError with a {@link Catalogue} of the tools read so far
   */
  listTools(options?: RequestOptions): Promise<Catalogue>;
  /** Has the next `listTools` ask the server again: not every server can say that its list changed. */
  forgetTools(): void;
  /**
   * Calls a tool with exactly these arguments, unchecked; {@link callTool} repairs and checks them first. A result with
   * `isError` is a result, not an exception.
   *
   * A call is repeated if the server rejected it unread, because it has forgotten the session or requires another
   * token; and once if the response broke off and the tool's annotations say that it is read-only or idempotent. A call
   * that becomes a task is followed to its end, and cancelled at the server if the caller gives up.
   *
   * @throws TypeError if `argumentsText` and `args` differ, or without `argumentsText` a number is Infinity or NaN
   * @throws McpError CONNECTION_LOST, TIMEOUT and PROTOCOL_VIOLATION leave open whether the server has carried it out
   */
  callTool(tool: CatalogueTool, args: Record<string, unknown>, options?: CallOptions): Promise<ToolResult>;
  /** Empty if the server has none, like the other lists. */
  listResources(options?: RequestOptions): Promise<readonly Resource[]>;
  listResourceTemplates(options?: RequestOptions): Promise<readonly ResourceTemplate[]>;
  /** One entry, or one for each part. */
  readResource(uri: string, options?: ReadOptions): Promise<readonly ResourceContents[]>;
  listPrompts(options?: RequestOptions): Promise<readonly Prompt[]>;
  getPrompt(name: string, args?: Record<string, string>, options?: ReadOptions): Promise<PromptResult>;
  /** Suggestions for an argument of a prompt or a resource template; empty if the server has none. */
  complete(
    reference: CompletionReference,
    argument: { name: string; value: string },
    options?: CompleteOptions,
  ): Promise<Completion>;
  /**
   * Has the server announce changes of a resource (`notifications/resources/updated`). Resolves once it has agreed; a
   * session that the server has forgotten subscribes again.
   */
  subscribe(uri: string, options?: RequestOptions): Promise<void>;
  /** Takes a subscription back. One that there is not is no error. */
  unsubscribe(uri: string, options?: RequestOptions): Promise<void>;
  /**
   * Sends any request without a method here, once unless the server rejected it unread.
   *
   * @throws ServerError if the server answers with an error
   */
  request(method: string, params?: Readonly<Record<string, unknown>>, options?: ReadOptions): Promise<RawResult>;
  /** Sends a notification. */
  notify(method: string, params?: Readonly<Record<string, unknown>>): Promise<void>;
  /**
   * Has a function called when one of the server's lists has changed; the result ends it. Servers of 2026-07-28 are
   * asked to say so.
   */
  onListChanged(listener: (list: ChangingList) => void): () => void;
  /** Has a function called when the session is over: with the reason, unless it was closed here. The result ends it. */
  onEnd(listener: (reason: McpError | undefined) => void): () => void;
  /**
   * Calls a function when the server has forgotten the HTTP session and a new one is open: the server's state of the
   * session is lost. The returned function ends it.
   */
  onReconnect(listener: () => void): () => void;
  /**
   * Calls a function with every notification from now on, like the one in the options; the returned function ends it.
   */
  onNotification(listener: NonNullable<ConnectOptions['onNotification']>): () => void;
  /** Ends the session at the server, the connection and, for stdio, the process and all it started. */
  close(): Promise<void>;
}

/** A list that a server may change while a session lasts. */
export type ChangingList = 'tools' | 'prompts' | 'resources';
/** The answer to a custom request. */
export interface RawResult {
  readonly result: Readonly<Record<string, unknown>>;
  /** The result's text on the wire, to the character: with integers that JavaScript cannot represent. */
  readonly text: string;
}
/** A resource as received; only its identifying members are typed, and not checked. */
export type Resource = Readonly<Record<string, unknown>> & { readonly uri: string };
/** A template of resources as received; `uriTemplate` follows RFC 6570. */
export type ResourceTemplate = Readonly<Record<string, unknown>> & { readonly uriTemplate: string };
/** A prompt as received. */
export type Prompt = Readonly<Record<string, unknown>> & { readonly name: string };
/** A part of a resource as received: `text`, or `blob` in Base64. */
export type ResourceContents = Readonly<Record<string, unknown>> & {
  readonly uri?: string;
  readonly text?: string;
  readonly blob?: string;
};
/** A prompt's result, as received. */
export type PromptResult = Readonly<Record<string, unknown>> & { readonly messages: readonly PromptMessage[] };
/** `role`, and `content` as in a {@link ToolResult}, as received. */
export type PromptMessage = Readonly<Record<string, unknown>>;
/** The owner of an argument: a prompt, or a template of resources by its `uriTemplate`. */
export type CompletionReference = { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string };
/** Options of one request for suggestions. */
export interface CompleteOptions extends RequestOptions {
  /** Values already chosen for other arguments. */
  context?: Record<string, string>;
}
/** Suggestions for the value of an argument. */
export interface Completion {
  readonly values: readonly string[];
  /** How many values there are; absent if the server does not say. */
  readonly total?: number;
  /** True if there are more than `values`. */
  readonly hasMore?: boolean;
}
