import { invisibleIn, providerNotes } from '../internal.js';
import type { CatalogueTool, Note, ApprovalDifference, Provider, SkippedTool } from '../internal.js';
import { messageOf } from '../json/index.js';
import type { McpTool } from './tool.js';

/** What became of one server. */
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
  /** What differs from what was approved, where the option `approved` says what that is. */
  readonly differences: readonly ApprovalDifference[];
  /** What is odd about the exposed tools; without a tool's name, about the server. */
  readonly notes: readonly (Note & { tool?: string })[];
}

/** What became of the servers, in the order of the configuration. */
export type McpToolsReport = readonly ServerReport[];

/** Some servers failed, and `onServerError` asks to give up then, or none is left. */
export class McpServersError extends AggregateError {
  override readonly name = 'McpServersError';
  readonly code = 'SERVERS_FAILED';
  /** The error of each server that failed, by its name in the configuration. */
  readonly servers: Readonly<Record<string, unknown>>;

  /** @internal */
  constructor(servers: Readonly<Record<string, unknown>>) {
    const lines = Object.entries(servers).map(([name, error]) => `${name}: ${messageOf(error)}`);
    super(Object.values(servers), lines.join('\n'));
    this.servers = servers;
  }
}

/** A server that was asked for its tools. */
export interface Asked {
  name: string;
  error?: unknown;
  instructions?: string | undefined;
  serverInfo?: Readonly<Record<string, unknown>> | undefined;
  skipped: readonly SkippedTool[];
  differences: readonly ApprovalDifference[];
}

export function reportOf(
  { name: server, error, instructions = '', serverInfo = {}, skipped, differences }: Asked,
  exposed: readonly ReportedTool[],
  provider?: Provider,
): ServerReport {
  return {
    server,
    status: error === undefined ? 'connected' : 'failed',
    ...(error !== undefined && { error }),
    tools: exposed.map(({ name }) => name),
    skipped,
    differences,
    get notes() {
      const own = exposed.flatMap((tool) =>
        [...tool.tool.notes, ...notesOnProviders(tool, provider)].map((note) => ({ ...note, tool: tool.name })),
      );
      return [...invisibleIn({ instructions, serverInfo }), ...own];
    },
  };
}

interface ReportedTool {
  readonly name: string;
  readonly tool: CatalogueTool;
  /** The tool where a model is sent its schema. */
  readonly sent: Pick<McpTool, 'adaptedFor' | 'isAdaptedUnnamed'> | undefined;
}

/** What the provider does to a tool; where nobody knows whose model it is for, who of all would refuse it. */
function notesOnProviders({ tool, sent }: ReportedTool, provider: Provider | undefined): Note[] {
  const known = provider
    ? providerNotes(tool, provider)
    : providers.flatMap((each) => providerNotes(tool, each).filter(({ effect }) => effect !== 'changed'));
  return [...known, ...(sent ? adaptations(sent) : [])];
}

function adaptations({ adaptedFor, isAdaptedUnnamed }: Pick<McpTool, 'adaptedFor' | 'isAdaptedUnnamed'>): Note[] {
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

/** What to do about tools that are adapted because nobody named a model. */
export const remedy =
  'Give the option "model", or the middleware verbatimTools(tools), which knows the model of each request; "providerSafe": false sends every original.';

const providers: readonly Provider[] = ['openai', 'anthropic', 'google', 'cohere'];
