import { modelTools, refuseUndeclared, startToolSearch } from '../internal.js';
import type { CatalogueTool, ModelTool } from '../internal.js';
import { shortened, quote, quotedLines } from '../json/index.js';
import { fixedNames } from './call/fixed.js';
import { exposedBySearch } from './tool-search/search-tool.js';
import { providerIn } from './options.js';
import type { McpToolsOptions, ToolFilter } from './options.js';
import { reportOf } from './report.js';
import type { McpToolsReport } from './report.js';
import type { ServerTools } from './server-tools.js';
import { McpTool } from './tool.js';

/** What the servers have, for LangChain. */
export interface ExposedTools {
  readonly tools: readonly McpTool[];
  readonly report: McpToolsReport;
}

/** @param onUnnamed see {@link McpTool} */
export function exposedTools(
  servers: readonly ServerTools[],
  options: McpToolsOptions,
  onUnnamed: () => void,
): ExposedTools {
  const exposed: Exposed[][] = [];
  for (const server of servers) exposed.push(exposedBy(server, exposed.flat(), servers.length > 1, onUnnamed));
  const all = exposed.flat().map(({ tool }) => tool);
  const { toolSearch: mode, always } = options;
  const names = [...new Set(all.map(({ server }) => server))];
  // What a model reads of a tool that it searches is a text, which no provider refuses: the original.
  const search = startToolSearch(
    exposed.flat().map(({ original }) => original),
    { mode, always, server: names.join(', '), prefix: prefixForAll(names, options.prefix) },
  );
  const tools = search ? exposedBySearch(search, all) : all;
  const sent = new Set(tools);
  const report = servers.map((server, index) => {
    const own = exposed[index] ?? [];
    const reported = own.map(({ tool }) => ({
      name: tool.name,
      tool: tool.tool,
      sent: sent.has(tool) ? tool : undefined,
    }));
    return reportOf(server, reported, providerIn(options));
  });
  return { tools, report };
}

interface Exposed {
  readonly tool: McpTool;
  /** Without regard to anybody's provider. */
  readonly original: ModelTool;
}

/** The tools of one server as LangChain tools, under names that those `before` do not have. */
function exposedBy(
  { name: server, tools, connection, options }: ServerTools,
  before: readonly Exposed[],
  several: boolean,
  onUnnamed: () => void,
): Exposed[] {
  const { include, exclude, extras, fixed } = options;
  const wanted = tools.filter(
    (tool) => (!include || matches(include, tool, server)) && !(exclude && matches(exclude, tool, server)),
  );
  for (const tool of wanted) refuseUndeclared(tool, fixedNames(fixed, tool));
  const named = modelTools(wanted, {
    prefix: prefixFor(server, options.prefix ?? several),
    taken: before.map(({ original }) => original.name),
    fixed: (tool) => fixedNames(fixed, tool),
  });
  return named.map((original) => ({
    original,
    tool: new McpTool({
      ...original,
      server,
      session: connection.session,
      options,
      extras: typeof extras === 'function' ? extras(original.tool, server) : extras,
      onUnnamed,
    }),
  }));
}

function matches(filter: ToolFilter, tool: CatalogueTool, server: string): boolean {
  return typeof filter === 'function' ? filter(tool, server) : filter.includes(tool.name);
}

function prefixFor(server: string, prefix: NonNullable<McpToolsOptions['prefix']>): string {
  if (typeof prefix === 'function') return prefix(server);
  if (typeof prefix === 'string') return prefix;
  return prefix ? `${server}__` : '';
}

/** For tools that belong to all servers: what all their tools have in front. */
function prefixForAll([only = '', ...others]: readonly string[], prefix: McpToolsOptions['prefix'] = false): string {
  return others.length === 0 || typeof prefix === 'string' ? prefixFor(only, prefix) : '';
}

/** Characters of one server's instructions. */
const longestInstructions = 10_000;

/** For a model, which would otherwise take what is missing for what there never was. */
export function instructionsOf(servers: readonly ServerTools[]): string {
  return servers
    .flatMap(({ name, error, instructions }) => {
      if (error !== undefined) return [`The server ${quote(name)} is not available: its tools are missing.`];
      if (instructions === undefined || instructions.trim() === '') return [];
      const text = shortened(instructions, longestInstructions);
      return [servers.length > 1 ? `About the tools of ${quote(name)}:\n${quotedLines(text)}` : text];
    })
    .join('\n\n');
}
