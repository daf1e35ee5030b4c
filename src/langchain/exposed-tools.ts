import { exposedTools as exposedBelow } from '../internal.js';
import { shortened, quote, quotedLines } from '../json/index.js';
import type { McpToolsOptions } from './options.js';
import { reportOf, type McpToolsReport } from './report.js';
import type { ServerTools } from './server-tools.js';
import { exposedBySearch } from './tool-search.js';
import { McpTool } from './tool.js';

/**
 * What the servers have, for LangChain.
 *
 * @param onUnnamed see {@link McpTool}
 */
export function exposedTools(
  servers: readonly ServerTools[],
  { toolSearch, always, prefix = servers.length > 1 }: McpToolsOptions,
  onUnnamed: () => void,
): { readonly tools: readonly McpTool[]; readonly report: McpToolsReport } {
  // What a model reads of a tool that it searches is a text, which no provider refuses: the original.
  const { byServer, search } = exposedBelow(
    servers.map(({ name, tools, options: selection }) => {
      return { name, tools, selection, fixed: selection.fixed, prefix: prefixFor(name, prefix) };
    }),
    { toolSearch, always },
  );
  const exposed = servers.map(({ name: server, connection, options: own }, index) => {
    const { extras } = own;
    return (byServer[index] ?? []).map(
      (original) =>
        new McpTool({
          ...original,
          server,
          session: connection.session,
          options: own,
          extras: typeof extras === 'function' ? extras(original.tool, server) : extras,
          onUnnamed,
        }),
    );
  });
  const all = exposed.flat();
  const tools = search ? exposedBySearch(search, all) : all;
  const sent = new Set(tools);
  return { tools, report: servers.map((server, index) => reportOf(server, exposed[index] ?? [], sent)) };
}

function prefixFor(server: string, prefix: NonNullable<McpToolsOptions['prefix']>): string {
  if (typeof prefix === 'function') return prefix(server);
  if (typeof prefix === 'string') return prefix;
  return prefix ? `${server}__` : '';
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
