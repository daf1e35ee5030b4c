import type { Catalogue, CatalogueTool } from '../mcp/index.js';
import { isReadOnly, modelTools, refuseUndeclared, type ModelTool, type ModelToolsOptions } from '../tool/index.js';
import { startToolSearch, type ToolSearch, type ToolSearchMode } from '../tool-search/index.js';

/** Tools by the server's own names, or by a predicate. */
export type ToolFilter = readonly string[] | ((tool: CatalogueTool, server: string) => boolean);

export interface ToolSelection {
  include?: ToolFilter | undefined;
  /** Wins over `include`. */
  exclude?: ToolFilter | undefined;
  /** Only tools that, by their server's word, change nothing (true), or only the others (false). */
  readOnly?: boolean | undefined;
}

export interface ExposedServer {
  readonly name: string;
  readonly tools: readonly CatalogueTool[];
  readonly selection?: ToolSelection | undefined;
  readonly prefix?: string | undefined;
  /** Arguments that are not the model's, by the tools' own names. */
  readonly fixed?: Readonly<Record<string, object>> | undefined;
}

export interface ExposedToolsOptions extends Pick<ModelToolsOptions, 'taken' | 'owner'> {
  readonly toolSearch?: ToolSearchMode | undefined;
  readonly always?: readonly string[] | undefined;
  readonly keepsNames?: boolean | undefined;
}

export interface ExposedTools {
  readonly byServer: readonly (readonly ModelTool[])[];
  readonly sent: readonly ModelTool[];
  readonly search: ToolSearch | undefined;
}

/**
 * The selected tools of some servers, under names that differ, without their fixed arguments; or tools to search them.
 *
 * @throws FixedArgumentsError where a selected tool does not declare an argument that is to be fixed
 */
export function exposedTools(servers: readonly ExposedServer[], options: ExposedToolsOptions = {}): ExposedTools {
  const { toolSearch: mode, always, owner, keepsNames = false } = options;
  const taken = new Set(options.taken);
  const byServer = servers.map(({ name: server, tools, selection = {}, prefix = '', fixed = {} }) => {
    const fixedOf = ({ name }: CatalogueTool) => (Object.hasOwn(fixed, name) ? Object.keys(fixed[name] ?? {}) : []);
    const selected = tools.filter((tool) => isSelected(selection, tool, server));
    for (const tool of selected) refuseUndeclared(tool, fixedOf(tool));
    const named = modelTools(selected, { prefix, owner, taken, fixed: fixedOf });
    for (const { name } of named) taken.add(name);
    return keepsNames ? named.map((model) => ({ ...model, name: model.tool.name })) : named;
  });
  const all = byServer.flat();
  const searched = servers.filter((_, index) => byServer[index]?.length);
  const server = [...new Set(searched.map(({ name }) => name))].join(', ');
  // Of all servers: a name does not depend on which of them failed.
  const [shared = '', ...others] = new Set(servers.map(({ prefix }) => prefix));
  const prefix = others.length === 0 ? shared : '';
  const search = startToolSearch(all, { owner, taken: options.taken ?? [], prefix, mode, always, server });
  return { byServer, sent: search?.exposed ?? all, search };
}

export function isSelected({ include, exclude, readOnly }: ToolSelection, tool: CatalogueTool, server = ''): boolean {
  const matches = (filter: ToolFilter) =>
    typeof filter === 'function' ? filter(tool, server) : filter.includes(tool.name);
  if ((include && !matches(include)) || (exclude && matches(exclude))) return false;
  return readOnly === undefined || isReadOnly(tool) === readOnly;
}

/** The names that none of these servers has a tool for; a tool that was skipped is there. */
export function absentNames(
  servers: readonly Pick<Catalogue, 'tools' | 'skipped'>[],
  names: readonly string[],
): string[] {
  const known = new Set(servers.flatMap(({ tools, skipped }) => [...tools, ...skipped].map(({ name }) => name)));
  return names.filter((name) => !known.has(name));
}
