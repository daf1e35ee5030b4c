import { grouped } from '../json/index.js';

interface Named {
  readonly name: string;
  readonly server?: string | undefined;
}

/**
 * The tool that each name in a request stands for, if any. The surest pairs go first, and no tool is taken twice.
 * Frameworks put the server's name or their own in front, replace characters that a provider rejects, cut names at 64
 * characters, and append a hash if two are alike: `crm_search-people` stands for `search.people` of the server `crm`.
 */
export function matchNames<Tool extends Named>(names: readonly string[], tools: readonly Tool[]): Map<string, Tool> {
  const spellings = new Map(tools.map((tool) => [tool, spellingOf(tool.name)]));
  const spelling = (tool: Tool) => spellings.get(tool) ?? '';
  const exact = grouped(tools, ({ name }) => name);
  const spelt = grouped(tools, spelling);
  const begun = grouped(tools, (tool) => spelling(tool).slice(0, fewestCut));
  const pairs = names.flatMap((name) => {
    const sent = spellingOf(name);
    const pair = (likeness: number) => (tool: Tool) => {
      const isOwners = tool.server !== undefined && sent.startsWith(`${spellingOf(tool.server)}_`);
      return { name, tool, likeness: likeness + (isOwners ? 0.5 : 0) };
    };
    const same = exact.get(name)?.slice(0, mostAlike);
    if (same) return same.map(pair(exactly));
    const ends = endsOf(sent);
    const whole = ends.flatMap((end) => (spelt.get(end)?.slice(0, mostAlike) ?? []).map(pair(wholly + end.length)));
    // Only names that were too long are cut.
    if (whole.length > 0 || name.length < shortestCut) return whole;
    return ends.flatMap((end) => {
      const alike = begun.get(end.slice(0, fewestCut))?.slice(0, mostAlike) ?? [];
      return alike.filter((tool) => spelling(tool).startsWith(end)).map(pair(end.length));
    });
  });
  const matched = new Map<string, Tool>();
  const taken = new Set<Tool>();
  for (const { name, tool } of pairs.sort((one, other) => other.likeness - one.likeness)) {
    if (matched.has(name) || taken.has(tool)) continue;
    matched.set(name, tool);
    taken.add(tool);
  }
  return matched;
}

const [exactly, wholly] = [4000, 2000];

/** A shorter name was not cut; a cut name must have at least this many characters left. */
const [shortestCut, fewestCut] = [40, 12];

const mostAlike = 100;

/** A spelling without the words in front, one by one, and without a hash at its end. */
function endsOf(sent: string): string[] {
  const forms = new Set([sent, sent.replace(/_(?=[\da-f]*\d)[\da-f]{4,8}$/, '')]);
  return [...forms].flatMap((form) => {
    const parts = form.split('_');
    return parts.map((_part, at) => parts.slice(at).join('_'));
  });
}

/** In small letters, one underscore for whatever is neither letter nor digit. Longer names than any provider takes are cut. */
function spellingOf(name: string): string {
  const ascii = name
    .slice(0, 200)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '');
  const spelt = ascii.toLowerCase().replace(/[^a-z\d]+/g, '_');
  return spelt.replace(/^_|_$/g, '') || name;
}
