/** A tool that a name may stand for. */
interface Named {
  readonly name: string;
  /** What its server is called here, which may stand in front. */
  readonly server?: string | undefined;
}

/**
 * The tool that each name in a request stands for, if any; the surest pairs go first, and no tool is taken twice.
 * Frameworks put the server's name or their own in front, write other characters for those that a provider refuses, cut
 * names at 64 characters, and append a hash where two are alike: `crm_search-people` stands for `search.people` of the
 * server `crm`.
 */
export function matchNames<Tool extends Named>(names: readonly string[], tools: readonly Tool[]): Map<string, Tool> {
  const own = grouped(tools, (name) => name);
  const spelt = grouped(tools, spellingOf);
  const sorted = [...spelt.keys()].sort();
  const pairs = names.flatMap((name) => {
    const sent = spellingOf(name);
    const pair = (likeness: number) => (tool: Tool) => {
      const isOwners = tool.server !== undefined && sent.startsWith(`${spellingOf(tool.server)}_`);
      return { name, tool, likeness: likeness + (isOwners ? 0.5 : 0) };
    };
    const exact = own.get(name);
    if (exact) return exact.map(pair(exactly));
    const rests = restsOf(sent);
    const whole = rests.flatMap((rest) => (spelt.get(rest) ?? []).map(pair(wholly + rest.length)));
    // Only names that were too long are cut.
    if (whole.length > 0 || name.length < shortestCut) return whole;
    const cut = rests.filter((rest) => rest.length >= fewestCut).flatMap((rest) => beginningWith(sorted, rest));
    return cut.flatMap(({ spelling, rest }) => (spelt.get(spelling) ?? []).map(pair(rest.length)));
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

function grouped<Tool extends Named>(tools: readonly Tool[], keyOf: (name: string) => string): Map<string, Tool[]> {
  const groups = new Map<string, Tool[]>();
  for (const tool of tools) {
    const group = groups.get(keyOf(tool.name)) ?? [];
    groups.set(keyOf(tool.name), group);
    if (group.length < mostAlike) group.push(tool);
  }
  return groups;
}

const [exactly, wholly] = [4000, 2000];

/** A name of fewer characters was not cut; of one that was, so many characters have to be left. */
const [shortestCut, fewestCut] = [40, 12];

/** So many names that are alike are told apart. */
const mostAlike = 100;

/** A spelling without what may stand in front, part by part, and without a hash at its end. */
function restsOf(sent: string): string[] {
  const plain = sent.replace(/_(?=[\da-f]*\d)[\da-f]{4,8}$/, '');
  const parts = plain.split('_');
  const rests = parts.map((_part, at) => parts.slice(at).join('_'));
  return plain === sent ? rests : [...rests, ...rests.map((rest) => rest + sent.slice(plain.length))];
}

/** The first of the sorted spellings that begin with what is left of a name that was cut. */
function beginningWith(sorted: readonly string[], rest: string): { spelling: string; rest: string }[] {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? '') < rest) low = middle + 1;
    else high = middle;
  }
  const alike = sorted.slice(low, low + mostAlike).filter((spelling) => spelling.startsWith(rest));
  return alike.map((spelling) => ({ spelling, rest }));
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
