import { providerNotes } from '../index.js';
import type { Note, Provider, SetAsideTool } from '../index.js';
import type { Loaded } from './offer.js';
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
  /** What the server offered and cannot be called, with the reason. */
  readonly setAside: readonly SetAsideTool[];
  /** What is odd about the tools that are offered. */
  readonly notes: readonly (Note & { tool: string })[];
}

/** What became of the servers, in the order of the configuration. */
export type McpToolsReport = readonly ServerReport[];

export function reportOf(
  { name, error, setAside }: Loaded,
  offered: readonly McpTool[],
  provider?: Provider,
): ServerReport {
  return {
    server: name,
    status: error === undefined ? 'connected' : 'failed',
    ...(error !== undefined && { error }),
    tools: offered.map((tool) => tool.name),
    setAside,
    get notes() {
      return offered.flatMap(({ name, tool }) =>
        [...tool.notes, ...(provider ? providerNotes(tool, provider) : [])].map((note) => ({ ...note, tool: name })),
      );
    },
  };
}
