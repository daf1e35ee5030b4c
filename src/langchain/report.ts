import type { Api, ApprovalDifference, ListedServer, Note, Provider, SkippedTool, ToolView } from '../internal.js';
import { invisibleIn, mostUsedProviders, providerNotes } from '../internal.js';
import { isInstance, messageOf, ownClass } from '../json/index.js';
import { apiIn, providerIn, type McpToolsOptions } from './options.js';
import type { McpServer } from './server-tools.js';
import type { McpTool } from './tool.js';

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
export type McpToolsReport = readonly ServerReport[];

/** Every server failed, or one did and `onServerError` is 'throw'. */
export class McpServersError extends AggregateError {
  /** @internal */
  static readonly [ownClass] = 'McpServersError';
  override readonly name = 'McpServersError';
  readonly code = 'SERVERS_FAILED';
  /** The error of each server that failed, by its name in the configuration. */
  readonly servers: Readonly<Record<string, unknown>>;

  /** @internal */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isInstance(this, value);
  }

  /** @internal */
  constructor(servers: Readonly<Record<string, unknown>>) {
    const lines = Object.entries(servers).map(([name, error]) => `${name}: ${messageOf(error)}`);
    super(Object.values(servers), lines.join('\n'));
    this.servers = servers;
  }
}

/** @throws the error of a lone server; an McpServersError that has all of them, by name, otherwise; what a handler throws */
export function refuseFailures(servers: readonly ListedServer<McpServer>[], { onServerError }: McpToolsOptions): void {
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

function failureOf({ error, admission }: ListedServer<McpServer>): unknown {
  return error ?? admission?.problem;
}

/** @param about what is said of options that hold for all servers */
export function reportOf(
  listed: ListedServer<McpServer>,
  exposed: readonly McpTool[],
  sent: ReadonlySet<McpTool>,
  { warnings, problem }: Pick<ToolView<McpServer>, 'warnings' | 'problem'>,
): ServerReport {
  const { server, admission } = listed;
  const error = failureOf(listed) ?? problem;
  const { catalogue, differences = [], warnings: own = [] } = admission ?? {};
  const { instructions = '', serverInfo = {}, skipped = [] } = catalogue ?? {};
  return {
    server: server.name,
    status: error === undefined ? 'connected' : 'failed',
    ...(error !== undefined && { error }),
    tools: exposed.map(({ name }) => name),
    skipped,
    differences,
    get notes() {
      const ofTools = exposed.flatMap((tool) =>
        [
          ...tool.tool.notes,
          ...onProviders(tool, providerIn(server.options), apiIn(server.options)),
          ...(sent.has(tool) ? adaptations(tool) : []),
        ].map((note) => ({ ...note, tool: tool.name })),
      );
      const unknown = [...own, ...warnings].map((message) => ({ code: 'unknown-tool', message }));
      return [...unknown, ...invisibleIn({ instructions, serverInfo }), ...ofTools];
    },
  };
}

/** What the provider does to a tool; where nobody knows whose model it is for, who of all would refuse it. */
function onProviders({ tool }: McpTool, provider: Provider | undefined, api: Api | undefined): Note[] {
  if (provider) return providerNotes(tool, provider, api);
  return mostUsedProviders.flatMap((each) => providerNotes(tool, each).filter(({ effect }) => effect !== 'changed'));
}

function adaptations({ adaptedFor, isAdaptedUnnamed }: McpTool): Note[] {
  const code = 'adapted-schema';
  if (isAdaptedUnnamed)
    return [
      { code, message: `No model is named, so it is sent in a form that OpenAI and Anthropic accept. ${remedy}` },
    ];
  return adaptedFor.map((each) => ({
    code,
    message: `Its schema is adapted for models of "${each}"; arguments are still checked against the original.`,
  }));
}

export const remedy =
  'Give the option "model", or the middleware verbatimTools(tools), which knows the model of each request; "providerSafe": false sends every original.';
