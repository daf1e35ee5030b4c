import type { ApprovedFile, ApprovedTools, WhenChanged } from '../approval/index.js';
import { didYouMean, quote, shortened } from '../json/index.js';
import { type Catalogue, type CatalogueTool, McpError } from '../mcp/index.js';
import { isReadOnly } from '../tool/index.js';

/** The tools of a server that a user allows. Data without state. */
export interface ToolPolicy {
  /** The approved tools. Without it, every tool counts as approved. */
  readonly approved?: ApprovedTools | ApprovedFile | undefined;
  /** The server's name in a file of approved tools. */
  readonly approvedName?: string | undefined;
  readonly whenChanged?: WhenChanged | undefined;
  /** If false, the model does not read the instructions, so that their changes do not matter. Default true. */
  readonly exposesInstructions?: boolean | undefined;
  readonly selection?: ToolSelection | undefined;
  /** Arguments that the model does not see and cannot set, by the tools' own names. A function gets the context of the host's call. */
  readonly fixed?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  /** Time limits of the host's, by the tools' own names, which are checked. */
  readonly timeouts?: Readonly<Record<string, number>> | undefined;
  /** Options that were given for several servers together: a tool that they name may be another server's. */
  readonly shared?: readonly NamingOption[] | undefined;
  /** If true, a tool to leave out that does not exist is a warning: its name was chosen from a list. Default false. */
  readonly mayExcludeUnknown?: boolean | undefined;
}

/** An option that names tools. */
export type NamingOption = 'include' | 'exclude' | 'fixed' | 'timeouts';

export const namingOptions: readonly NamingOption[] = ['include', 'exclude', 'fixed', 'timeouts'];

/** The options of one server, or those that it shares with others. */
export function optionsOf({ shared = [] }: ToolPolicy, isShared: boolean): readonly NamingOption[] {
  return namingOptions.filter((option) => shared.includes(option) === isShared);
}

export interface UnknownNames {
  /** Warnings for the user. */
  readonly warnings: readonly string[];
  /** Why no tool is exposed: going on would expose more than was meant, or nothing. */
  readonly problem?: McpError;
  /** The option that the problem is about. */
  readonly option?: NamingOption;
}

/**
 * The names in a policy that match no tool of these lists. An unknown name in `fixed` disables the server, because the
 * model would go on choosing the value; so does one in `exclude`, because a typo would expose the tool. One in
 * `include` is a warning while another tool is left.
 */
export function unknownNames(
  policy: ToolPolicy,
  options: readonly NamingOption[],
  catalogues: readonly Pick<Catalogue, 'tools' | 'skipped'>[],
  servers: readonly string[],
): UnknownNames {
  const tools = catalogues.flatMap((catalogue) => catalogue.tools.map(({ name }) => name));
  const known = [...tools, ...catalogues.flatMap(({ skipped }) => skipped.flatMap(({ name }) => name ?? []))];
  const warnings: string[] = [];
  for (const option of options) {
    const named = namesIn(policy, option);
    const isKnown = (name: string) =>
      option === 'fixed' ? known.includes(name) : known.some((each) => isNamed(name, each));
    const unknown = named.filter((name) => !isKnown(name));
    const isFatal =
      option === 'include'
        ? unknown.length === named.length
        : option === 'fixed' || (option === 'exclude' && !policy.mayExcludeUnknown);
    const [first] = unknown;
    const more = { servers, why: meaning[option] };
    if (first !== undefined && isFatal) return { warnings, problem: unknownTool(first, tools, more), option };
    for (const name of unknown) warnings.push(noSuchTool(name, tools, more));
  }
  return { warnings };
}

const meaning: Readonly<Record<NamingOption, string>> = {
  include: ', which was selected',
  exclude: ', which is to be left out',
  fixed: ', for which arguments are fixed',
  timeouts: ', for which a time limit is given',
};

function namesIn({ selection = {}, ...policy }: ToolPolicy, option: NamingOption): readonly string[] {
  if (option === 'fixed' || option === 'timeouts') return Object.keys(policy[option] ?? {});
  const filter = selection[option];
  return typeof filter === 'object' ? filter : [];
}

/** @param why why it was looked for, after the name */
export function unknownTool(name: string, known: readonly string[], more: UnknownTool = {}): McpError {
  const names = shortened(known.map((each) => quote(each)).join(', '), 600) || 'none that can be called';
  return new McpError(noSuchTool(name, known, more), {
    code: 'UNKNOWN_TOOL',
    details: `The tools: ${names}.`,
    hint: "Use the server's own names, without a prefix.",
  });
}

interface UnknownTool {
  servers?: readonly string[];
  why?: string;
}

export function noSuchTool(name: string, known: readonly string[], { servers = [], why = '' }: UnknownTool): string {
  const whose = servers.map((server) => quote(server)).join(', ');
  const found = `${whose === '' ? 'There is' : `${whose} ${servers.length > 1 ? 'have' : 'has'}`} no tool`;
  return `${found} ${quote(shortened(name, 128))}${why}.${didYouMean(name.slice(0, 128), known)}`;
}

/** Tools by the server's own names, in which `*` stands for any characters, or by a predicate. */
export type ToolFilter = readonly string[] | ((tool: CatalogueTool, server: string) => boolean);

export interface ToolSelection {
  readonly include?: ToolFilter | undefined;
  /** Wins over `include`. */
  readonly exclude?: ToolFilter | undefined;
  /** `true`: only tools that the server calls read-only; `false`: only the others. */
  readonly readOnly?: boolean | undefined;
}

export function isSelected({ include, exclude, readOnly }: ToolSelection, tool: CatalogueTool, server = ''): boolean {
  const matches = (filter: ToolFilter) =>
    typeof filter === 'function' ? filter(tool, server) : filter.some((named) => isNamed(named, tool.name));
  if ((include && !matches(include)) || (exclude && matches(exclude))) return false;
  return readOnly === undefined || isReadOnly(tool) === readOnly;
}

/** Without a regular expression: a name of a server must not take long. */
export function isNamed(pattern: string, name: string): boolean {
  if (pattern === name || !pattern.includes('*')) return pattern === name;
  const [first = '', ...more] = pattern.split('*');
  const last = more.pop() ?? '';
  let at = name.startsWith(first) ? first.length : -1;
  for (const part of more) {
    const found = at < 0 ? -1 : name.indexOf(part, at);
    at = found < 0 ? -1 : found + part.length;
  }
  return at >= 0 && name.length - last.length >= at && name.endsWith(last);
}
