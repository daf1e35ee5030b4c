import { distinctPrefixes, modelTools, type ModelTool, type ModelToolsOptions } from '../tool/index.js';
import type { Admission, Governed } from './admission.js';
import { noSuchTool, optionsOf, unknownNames } from './policy.js';
import { startToolSearch, type ToolSearch, type ToolSearchMode } from './search/tool-search.js';

/** How tools are named, and whether a model searches them. */
export interface ViewOptions extends Pick<ModelToolsOptions, 'taken' | 'owner'> {
  readonly toolSearch?: ToolSearchMode | undefined;
  /** Tools that are always exposed, by their own names. */
  readonly always?: readonly string[] | undefined;
  /** If true, tools keep the names that their server gave them. For a single server. */
  readonly keepsNames?: boolean | undefined;
}

/** A server and its latest list of tools. */
export interface ListedServer<Server> {
  readonly server: Server;
  readonly admission?: Admission | undefined;
  /** Why it was not listed, or not when it was asked last; its tools stay as they were. */
  readonly error?: unknown;
}

export interface ExposedTool<Server> {
  readonly server: Server;
  readonly tool: ModelTool;
}

/** The tools of some servers that a model may see. */
export interface ToolView<Server> {
  readonly servers: readonly (ListedServer<Server> & { readonly tools: readonly ModelTool[] })[];
  /** Every tool, whether the model is sent it or searches it. */
  readonly tools: readonly ExposedTool<Server>[];
  /** The tools that the model is sent. */
  readonly sent: readonly ModelTool[];
  readonly search: ToolSearch | undefined;
  /** If there is an owner: tools whose name is another one than it would be without the tools of others. */
  readonly renamed: readonly ModelTool[];
  readonly warnings: readonly string[];
  /** An option for several servers that leaves nothing to expose. */
  readonly problem?: Error | undefined;
  /** By its name for the model. */
  readonly find: (name: string) => ExposedTool<Server> | undefined;
}

export function viewOf<Server extends Governed & { readonly prefix?: string | undefined }>(
  listed: readonly ListedServer<Server>[],
  options: ViewOptions,
): ToolView<Server> {
  const { toolSearch: mode, always = [], owner, keepsNames = false } = options;
  const { warnings, problem } = sharedNames(listed);
  const taken = new Set(options.taken);
  const prefixes = distinctPrefixes(listed.map(({ server }) => server.prefix ?? ''));
  const renamed: ModelTool[] = [];
  const servers = listed.map((each, index) => {
    const admitted = problem ? [] : [...(each.admission?.tools.values() ?? [])];
    const naming = { prefix: prefixes[index] ?? '' };
    const fixed = new Map(admitted.map((entry) => [entry.tool, Object.keys(entry.fixed)]));
    const originals = admitted.map(({ tool }) => tool);
    const named = modelTools(originals, { ...naming, owner, taken, fixed: (tool) => fixed.get(tool) ?? [] });
    const alone = owner === undefined ? named : modelTools(originals, naming);
    renamed.push(...named.filter(({ name }, position) => name !== alone[position]?.name));
    for (const { name } of named) taken.add(name);
    return { ...each, tools: keepsNames ? named.map((model) => ({ ...model, name: model.tool.name })) : named };
  });
  const tools = servers.flatMap(({ server, tools: own }) => own.map((tool) => ({ server, tool })));
  const all = tools.map(({ tool }) => tool);
  const names = all.map(({ tool }) => tool.name);
  const absent = listed.every(({ error }) => error === undefined) ? always.filter((name) => !names.includes(name)) : [];
  warnings.push(...absent.map((name) => noSuchTool(name, names, { why: ', which is to be exposed always' })));
  const offering = servers.filter((each) => each.tools.length > 0);
  const server = [...new Set(offering.map((each) => each.server.name))].join(', ');
  // Uses all servers, so that a name does not depend on which of them failed.
  const prefix = new Set(prefixes).size === 1 ? (prefixes[0] ?? '') : '';
  const search = startToolSearch(all, { owner, taken: options.taken ?? [], prefix, mode, always, server });
  const byName = new Map(tools.map((exposed) => [exposed.tool.name, exposed]));
  const find = (name: string) => byName.get(name);
  return { servers, tools, sent: search?.exposed ?? all, search, renamed, warnings, problem, find };
}

/** A tool that is named for several servers is unknown if none of them has it; one that failed may have it. */
function sharedNames(listed: readonly ListedServer<Governed>[]): { warnings: string[]; problem?: Error | undefined } {
  const catalogues = listed.flatMap(({ admission }) => admission?.catalogue ?? []);
  const isWhole = catalogues.length === listed.length && listed.every(({ error }) => error === undefined);
  const policy = listed[0]?.server.policy;
  if (!policy || !isWhole) return { warnings: [] };
  const names = listed.map(({ server }) => server.name).filter(Boolean);
  // Every server shares the same options, or has its own in place of one.
  const policies = listed.map(({ server }) => server.policy);
  const found = policies.map((each) => unknownNames(each, optionsOf(each, true), catalogues, names));
  return {
    warnings: [...new Set(found.flatMap(({ warnings }) => warnings))],
    problem: found.find(({ problem }) => problem)?.problem,
  };
}
