import { leastResultLength, type ToolPolicy } from '../../internal.js';
import { isList, isObject } from '../../json/index.js';
import type { NamedServer as ServedServer } from '../../serve/index.js';
import { approvedOption, flag, type Given, names, texts, UsageError, whole } from '../command.js';
import type { Context, Env } from '../context.js';
import { approvedIn } from './approved.js';
import type { NamedServer } from './choose.js';
import { expand } from './config-file.js';

export const settingOptions = {
  approved: approvedOption('expose only tools that were approved and have not changed since'),
  include: names('A,B', 'expose only these tools, by the names of their servers; * stands for any characters'),
  exclude: names('A,B', 'do not expose these tools; wins over --include'),
  'read-only': flag('expose only tools that their servers mark as read-only'),
  fixed: texts(
    'TOOL.ARGUMENT=VALUE',
    'set this argument yourself; it is hidden from the model; repeatable; ${NAME} is read from the environment',
  ),
  'max-result-length': whole(
    'N',
    'shorten the text of a result to N characters, its notice included',
    leastResultLength,
  ),
};

/**
 * The settings of a server's tools and results, from the command line and its entry. @throws UsageError, at once or for one
 * server
 */
export function serverSettings(
  given: Given<typeof settingOptions>,
  count: number,
  { cwd, env }: Context,
): (server: NamedServer) => Pick<ServedServer, 'policy' | 'maxResultLength'> {
  if (given.fixed.length > 0 && count > 1)
    throw new UsageError('--fixed is for one server. Of several, each has a "fixed" in its entry.');
  const approvedOf = approvedIn(given.approved, cwd);
  return (server) => {
    const { name = 'server' } = server;
    const entry = isObject(server.entry) ? server.entry : {};
    const wrong = (what: string, form: string) => new UsageError(`"${what}" of the server "${name}" is not ${form}.`);
    const named = (option: 'include' | 'exclude') => {
      const own = entry[option];
      if (own !== undefined && !(isList(own) && own.every((each) => typeof each === 'string')))
        throw wrong(option, 'a list of names');
      return (own as string[] | undefined) ?? (given[option].length > 0 ? given[option] : undefined); // checked above
    };
    const { readOnly = false, maxResultLength: length } = entry;
    if (typeof readOnly !== 'boolean') throw wrong('readOnly', 'true or false');
    if (length !== undefined && !(typeof length === 'number' && length >= leastResultLength))
      throw wrong('maxResultLength', `a number of characters from ${leastResultLength} on`);
    const isReadOnly = readOnly || given['read-only'];
    const policy: ToolPolicy = {
      approved: approvedOf(server),
      selection: { include: named('include'), exclude: named('exclude'), ...(isReadOnly && { readOnly: true }) },
      fixed: fixedFor(name, entry['fixed'] ?? {}, given.fixed, env),
      shared: count > 1 ? (['include', 'exclude'] as const).filter((option) => entry[option] === undefined) : [],
    };
    return { policy, maxResultLength: given['max-result-length'] ?? length };
  };
}

/**
 * Merges the fixed arguments of the entry, `"fixed": { "search": { "tenant": "${TENANT}" } }`, with those of the
 * command line, `search.tenant=acme`. Tool names may contain dots, argument names may not.
 */
function fixedFor(server: string, inEntry: unknown, pairs: readonly string[], env: Env): ToolPolicy['fixed'] {
  if (!isObject(inEntry) || !Object.values(inEntry).every(isObject))
    throw new UsageError(`"fixed" of the server "${server}" is not of the form { "TOOL": { "ARGUMENT": value } }.`);
  const fixed: Record<string, Record<string, unknown>> = {};
  const fix = (tool: string, argument: string, value: unknown) => {
    fixed[tool] = { ...fixed[tool], [argument]: typeof value === 'string' ? expand(value, env) : value };
  };
  for (const [tool, values] of Object.entries(inEntry))
    for (const [argument, value] of Object.entries(values as object)) fix(tool, argument, value);
  for (const pair of pairs) {
    const [, tool, argument, value] = /^([^=]+)\.([^.=]+)=(.*)$/s.exec(pair) ?? [];
    if (tool === undefined || argument === undefined)
      throw new UsageError(`--fixed takes TOOL.ARGUMENT=VALUE; it was "${pair.split('=')[0] ?? ''}…".`);
    fix(tool, argument, value);
  }
  return fixed;
}
