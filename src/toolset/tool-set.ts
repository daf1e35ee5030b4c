import { equals, memberText, parseJson, quote } from '../json/index.js';
import { definitionText, IncompleteListError, McpError } from '../mcp/index.js';
import type { CallOptions, Catalogue, CatalogueTool, RequestOptions, ToolResult } from '../mcp/index.js';
import { callTool, checkArguments, type CheckedArguments, type FixedArguments, fixedForTool } from '../tool/index.js';
import type { ToolOptions, ToolOutcome } from '../tool/index.js';
import { admissionOf, admittedTool, type Admission, type AdmittedTool, type Governed } from './admission.js';
import { viewOf, type ExposedTool, type ListedServer, type ToolView, type ViewOptions } from './view.js';

/** A server as its host reaches it. The host owns the connections. */
export interface ToolServer<Open, Call> extends Governed {
  /** In front of the names that the model sees. */
  readonly prefix?: string | undefined;
  /** Lends an open connection, and opens it again if it has ended. */
  use<T>(work: (open: Open) => Promise<T>, call?: Call): Promise<T>;
  /** The list of this very connection: from memory, unless it changed or is to be fresh. */
  list(open: Open, options: ListOptions): Promise<Catalogue>;
  /** Sends a call over this very connection. */
  send(open: Open, tool: CatalogueTool, args: Arguments, options: CallOptions, call: Call): Promise<ToolResult>;
  /** Called when a list was admitted that differs from the one before. */
  onAdmitted?(admission: Admission): void;
}

export interface ListOptions extends RequestOptions {
  /** If true, the server is asked although nothing says that its list changed. */
  readonly isFresh?: boolean | undefined;
}

type Arguments = Record<string, unknown>;

/** The meaning of a call's name. */
export type Route<Server> =
  | (ExposedTool<Server> & {
      readonly kind: 'tool';
      readonly arguments: unknown;
      /** Their text, if it says the same. */
      readonly argumentsText: string | undefined;
      /** The text that the model reads about a refusal: after a search, with the tool's schema. */
      readonly refusal: (message: string) => string;
    })
  | { readonly kind: 'text'; readonly text: string; readonly isError: boolean }
  /** With the reason why a tool of this name is not exposed, if there is one. */
  | { readonly kind: 'unknown'; readonly reason: string | undefined };

export type CallSettings = Omit<ToolOptions, 'fixed'> & Omit<CallOptions, 'beforeSending'>;

/** How often a call begins anew because the list changed before it was sent. */
const mostAttempts = 5;

/**
 * The tools of some servers: the only way from a list to a sent call. A policy is applied to the list of the very
 * connection that a call is sent on, right before each sending.
 */
export interface ToolSet<Open, Call, Server extends ToolServer<Open, Call> = ToolServer<Open, Call>> {
  readonly servers: readonly Server[];
  /** The same object as long as no list changes. */
  readonly view: () => ToolView<Server>;
  /**
   * Lists the servers. A server that fails keeps its earlier tools, and its error is reported beside them.
   *
   * @param which servers to ask. Default: all
   */
  readonly list: (options?: ListOptions, which?: (server: Server) => boolean) => Promise<ToolView<Server>>;
  /**
   * Routes a call: to a tool, to a text that a search tool answers with, or to nothing known.
   *
   * @param argumentsText the arguments as they were written
   */
  readonly route: (name: string, args: unknown, argumentsText?: string) => Route<Server>;
  /**
   * Calls a tool once: admits the list of an open connection, repairs and checks the arguments by it, and sends them over
   * that connection. If the list has changed right before the sending, nothing is sent and everything is done anew.
   *
   * @throws InvalidArgumentsError, FixedArgumentsError, InvalidResultError and McpError, as `callTool` does
   * @throws McpError (NOT_AS_APPROVED, UNKNOWN_TOOL) if this connection's list has no such tool to call
   */
  readonly call: (
    server: Server,
    tool: CatalogueTool,
    args: unknown,
    settings: CallSettings,
    call: Call,
  ) => Promise<ToolOutcome>;
  /**
   * Repairs and checks the arguments of a call by the list that is known, without making it.
   *
   * @throws InvalidArgumentsError, FixedArgumentsError, and McpError if there is no such tool to call
   */
  readonly check: (
    server: Server,
    tool: CatalogueTool,
    args: unknown,
    settings: Omit<ToolOptions, 'fixed'>,
    call: Call,
  ) => Promise<CheckedArguments>;
}

export function toolSet<Open, Call, Server extends ToolServer<Open, Call> = ToolServer<Open, Call>>(
  servers: readonly Server[],
  options: ViewOptions = {},
): ToolSet<Open, Call, Server> {
  const entries = new Map(servers.map((server): [Server, ListedServer<Server>] => [server, { server }]));
  const entryOf = (server: Server): ListedServer<Server> => entries.get(server) ?? { server };
  let current: ToolView<Server> | undefined;
  const view = () => (current ??= viewOf([...entries.values()], options));

  function keep(entry: ListedServer<Server>): void {
    entries.set(entry.server, entry);
    current = undefined;
  }

  function admit(server: Server, listed: Catalogue): Admission {
    const { admission: before, error } = entryOf(server);
    if (before?.listed === listed && error === undefined) return before;
    const admission = before?.listed === listed ? before : admissionOf(server, listed);
    keep({ server, admission });
    if (admission !== before) server.onAdmitted?.(admission);
    return admission;
  }

  async function callOn(open: Open, server: Server, name: string, args: unknown, settings: CallSettings, call: Call) {
    const { signal, idleTimeoutMs } = settings;
    const listing = server.list(open, { signal, idleTimeoutMs });
    const admission = admit(server, await listedEvenInPart(listing, name));
    const admitted = admittedTool(admission, name);
    const beforeSending: CallOptions['beforeSending'] = async (connection) => {
      const now = admit(server, await listedEvenInPart(connection.listTools(), name));
      if (now !== admission && !isSame(admittedTool(now, name), admitted)) throw new ListChanged();
    };
    const sending = {
      callTool: (tool: CatalogueTool, sent: Arguments, options: CallOptions = {}) =>
        server.send(open, tool, sent, Object.assign({}, options, { beforeSending }), call),
    };
    // A leading spread with further members would take twenty times as long (Node 20).
    const ofCall = Object.assign({}, settings, { fixed: await fixedValues(admitted, call) });
    return callTool(sending, admitted.tool, args, ofCall);
  }

  /** By its own name, or with its server's prefix: an unexposed tool has no other name. */
  function reasonFor(name: string): string | undefined {
    for (const { server, admission } of entries.values()) {
      const { prefix = '' } = server;
      const names = (own: string) => [own, `${prefix}_${own}`, `${prefix}${own}`];
      const skipped = admission?.catalogue.skipped.find(
        (tool) => tool.name !== undefined && names(tool.name).includes(name),
      );
      if (skipped) return skipped.reason.message;
    }
    return undefined;
  }

  return {
    servers,
    view,
    async list(listing = {}, which = () => true) {
      await Promise.all(
        servers.filter(which).map(async (server) => {
          try {
            admit(server, await server.use((open) => server.list(open, listing)));
          } catch (error) {
            keep({ ...entryOf(server), error });
          }
        }),
      );
      return view();
    },
    route(name, args, argumentsText) {
      const { search, find } = view();
      const answer = search?.answer(name, args);
      if (answer?.kind === 'text') return answer;
      const exposed = find(answer?.tool.name ?? name);
      if (!exposed) return { kind: 'unknown', reason: reasonFor(name) };
      const asIs = (message: string) => message;
      if (!answer) return { kind: 'tool', ...exposed, arguments: args, argumentsText, refusal: asIs };
      const { arguments: inner, refusal } = answer;
      const text = argumentsText === undefined ? undefined : memberText(argumentsText, ['arguments']);
      // The arguments of an inner call may have been repaired to be read.
      const isAsWritten = text !== undefined && equals(parseJson(text), inner);
      return { kind: 'tool', ...exposed, arguments: inner, argumentsText: isAsWritten ? text : undefined, refusal };
    },
    async call(server, tool, args, settings, call) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await server.use((open) => callOn(open, server, tool.name, args, settings, call), call);
        } catch (error) {
          if (!(error instanceof ListChanged)) throw error;
          if (attempt === mostAttempts) throw changesAgain(tool.name);
        }
      }
    },
    async check(server, tool, args, settings, call) {
      const { admission, error } = entryOf(server);
      if (!admission) throw error as Error; // a server without a list has failed
      const admitted = admittedTool(admission, tool.name);
      return checkArguments(admitted.tool, args, { ...settings, fixed: await fixedValues(admitted, call) });
    },
  };
}

/** Ends an attempt before anything was sent. */
class ListChanged extends Error {}

function changesAgain(tool: string): McpError {
  return new McpError(`The tool ${quote(tool)} was not called: it changed before each of ${mostAttempts} attempts.`, {
    code: 'CONNECTION_FAILED',
    hint: 'Check whether several servers with different tools stand behind this address.',
  });
}

/** A tool that was read before the list broke off can be called. */
async function listedEvenInPart(listing: Promise<Catalogue>, name: string): Promise<Catalogue> {
  try {
    return await listing;
  } catch (error) {
    if (!(error instanceof IncompleteListError)) throw error;
    const partial = error.partial as Catalogue; // of tools, it is one
    if (!partial.find(name)) throw error;
    return partial;
  }
}

function isSame(one: AdmittedTool, other: AdmittedTool): boolean {
  return definitionText(one.tool) === definitionText(other.tool);
}

/** Fixed arguments that are functions get the context of the host's call. */
async function fixedValues({ tool, fixed }: AdmittedTool, call: unknown): Promise<FixedArguments> {
  const { context } = (call ?? {}) as { readonly context?: unknown }; // hosts without functions need none
  const isFunction = (value: unknown): value is (context: unknown) => unknown => typeof value === 'function';
  if (!Object.values(fixed).some(isFunction)) return fixed;
  const values = Object.entries(fixed).map(async ([name, value]): Promise<[string, unknown]> => {
    return [name, isFunction(value) ? await value(context) : value];
  });
  return fixedForTool(tool, Object.fromEntries(await Promise.all(values)));
}
