import type { ApprovalDifference } from '../approval/index.js';
import { isOwnInstance, messageOf, ownClass, quote } from '../json/index.js';
import { invisibleIn, type Note, type SkippedTool } from '../mcp/index.js';
import { cutSchema, isLost, mostUsedProviders, providerNotes } from '../projections/index.js';
import type { ModelTool } from '../tool/index.js';
import type { ListedServer, ToolView } from '../toolset/index.js';
import type { ModelSchema, OfModel } from './model-schema.js';
import type { ToolsOptions } from './options.js';
import type { ProgramServer } from './servers.js';

/** A server's status, its tools, and notes about them. */
export interface ServerReport {
  /** The server's name in the configuration, or the one that it gives itself. */
  readonly server: string;
  readonly status: 'connected' | 'failed';
  /** Why it failed; an `McpError` as a rule. */
  readonly error?: unknown;
  /** The names that the model sees. */
  readonly tools: readonly string[];
  /** Tools of the server that cannot be called, with the reason. */
  readonly skipped: readonly SkippedTool[];
  /** Differences from the approved tools; empty without the option `approved`. */
  readonly differences: readonly ApprovalDifference[];
  /** Notes about the exposed tools; without `tool`, about the server. */
  readonly notes: readonly (Note & { tool?: string })[];
}

/** A report on each server, in the order of the configuration. */
export type ToolsReport = readonly ServerReport[];

/** Every server failed, or one did and `onServerError` is 'throw'. */
export class McpServersError extends AggregateError {
  /** @internal */
  static readonly [ownClass] = 'McpServersError';
  override readonly name = 'McpServersError';
  readonly code = 'SERVERS_FAILED';
  /** The error of each server that failed, by its name in the configuration. */
  declare readonly servers: Readonly<Record<string, unknown>>;

  /** @internal */
  static override readonly [Symbol.hasInstance] = isOwnInstance;

  /** @internal */
  constructor(servers: Readonly<Record<string, unknown>>) {
    const lines = Object.entries(servers).map(([name, error]) => `${name}: ${messageOf(error)}`);
    super(Object.values(servers), lines.join('\n'));
    Object.assign(this, { servers });
  }
}

/**
 * @throws the error of a lone server; otherwise an McpServersError with all errors, by name; or the handler's own error
 */
export function refuseFailures(
  servers: readonly ListedServer<ProgramServer<unknown>>[],
  { onServerError }: Pick<ToolsOptions, 'onServerError'>,
): void {
  const down = servers.map((listed) => ({ ...listed.server, name: listed.server.name, error: failureOf(listed) }));
  const failed = down.filter(({ error }) => error !== undefined);
  const [first] = failed;
  if (!first || onServerError === 'report') return;
  if (typeof onServerError === 'function') {
    for (const { error, name } of failed) onServerError(error, name);
    return;
  }
  if (onServerError !== 'throw' && failed.length < servers.length) return;
  if (!first.isNamed) throw first.error as Error; // what a list throws
  throw new McpServersError(Object.fromEntries(failed.map(({ name, error }) => [name, error])));
}

function failureOf({ error, admission }: ListedServer<ProgramServer<unknown>>): unknown {
  return error ?? admission?.problem;
}

/** A tool of a server, from which a host makes its own. */
export interface OpenedTool<Options> extends ModelTool {
  readonly server: ProgramServer<Options>;
  readonly forModel: ModelSchema;
}

/**
 * @param about notes on options of all servers
 * @param remedy the advice if tools are adapted for a model that nobody named
 */
export function reportOf(
  listed: ListedServer<ProgramServer<unknown>>,
  exposed: readonly OpenedTool<unknown>[],
  { warnings, problem, sent }: Pick<ToolView<unknown>, 'warnings' | 'problem' | 'sent'>,
  remedy: string,
): ServerReport {
  const { server, admission } = listed;
  const error = failureOf(listed) ?? problem;
  const { catalogue, differences = [], warnings: own = [] } = admission ?? {};
  const { instructions = '', serverInfo = {}, skipped = [] } = catalogue ?? {};
  const names = new Set(sent.map(({ name }) => name));
  return {
    server: server.name,
    status: error === undefined ? 'connected' : 'failed',
    ...(error !== undefined && { error }),
    tools: exposed.map(({ name }) => name),
    skipped,
    differences,
    get notes() {
      const ofTools = exposed.flatMap(({ name, tool, forModel }) =>
        [
          ...tool.notes,
          ...onProviders(tool, forModel.options),
          ...(names.has(name) ? adaptations(forModel, remedy) : []),
        ].map((note) => ({ ...note, tool: name })),
      );
      const unknown = [...own, ...warnings].map((message) => ({ code: 'unknown-tool', message }));
      const about = (key: string) => `Nothing reads the key ${quote(key)} of the server's entry.`;
      const unread = server.unread.map((key) => ({ code: 'unknown-key', message: about(key) }));
      return [...unread, ...unknown, ...invisibleIn({ instructions, serverInfo }), ...ofTools];
    },
  };
}

/** Notes on the provider's effect on a tool; if nobody knows the provider, on every provider that would reject it. */
function onProviders(tool: ModelTool['tool'], { provider, api, client }: OfModel): Note[] {
  return provider
    ? providerNotes(tool, provider, api, client)
    : mostUsedProviders.flatMap((each) => providerNotes(tool, each).filter(isLost));
}

function adaptations({ adaptedFor, isAdaptedUnnamed, isCut }: ModelSchema, remedy: string): Note[] {
  const unnamed = `No model is named, so it is sent in a form that OpenAI and Anthropic accept. ${remedy}`;
  const adapted = adaptedFor.map(
    (each) => `Its schema is adapted for models of "${each}"; arguments are still checked against the original.`,
  );
  const notes = (isAdaptedUnnamed ? [unnamed] : adapted).map((message) => ({ code: 'adapted-schema', message }));
  return [...notes, ...(isCut ? [{ code: 'cut-schema', message: cutSchema }] : [])];
}
