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
  const spelt = tools.map((tool) => {
    const owner = tool.server === undefined ? undefined : `${spellingOf(tool.server)}_`;
    return { tool, spelling: spellingOf(tool.name), owner };
  });
  const pairs = names.flatMap((name) => {
    const sent = spellingOf(name);
    const forms = formsOf(sent, name.length);
    const candidates = spelt.map(({ tool, spelling, owner }) => {
      const likeness = tool.name === name ? exactly : likenessOf(forms, spelling);
      return { name, tool, likeness: likeness + (owner !== undefined && sent.startsWith(owner) ? 0.5 : 0) };
    });
    return candidates.filter(({ likeness }) => likeness >= 1).slice(0, mostAlike);
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

/** A name of fewer characters was not cut; of one that was, so many characters have to be left. */
const [shortestCut, fewestCut] = [40, 12];

/** So many tools at most are considered for a name. */
const mostAlike = 100;

/** So many words at most stand in front of a name that is cut. */
const mostInFront = 8;

/** What a name that was sent may be: whole, and if it may have been cut, the beginnings of a name. */
interface Forms {
  readonly whole: readonly string[];
  readonly beginnings: readonly string[];
}

function formsOf(sent: string, length: number): Forms {
  const plain = sent.replace(/_(?=[\da-f]*\d)[\da-f]{4,8}$/, ''); // without a hash at its end
  const parts = plain.split('_');
  const beginnings = parts.slice(0, mostInFront).map((_part, at) => parts.slice(at).join('_'));
  return {
    whole: [`_${sent}`, `_${plain}`],
    // Only names that were too long are cut.
    beginnings: length < shortestCut ? [] : beginnings.filter((rest) => rest.length >= fewestCut),
  };
}

/** How surely a name that was sent is one of this spelling; 0 for not. */
function likenessOf({ whole, beginnings }: Forms, spelling: string): number {
  if (whole.some((text) => text.endsWith(`_${spelling}`))) return wholly + spelling.length;
  return beginnings.find((rest) => spelling.startsWith(rest))?.length ?? 0;
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
