import type { Fidelity } from './fidelity.js';

/** Fewer uses than this say little about a framework. */
const fewestUses = 20;

/** What `mcp-verbatim check` tells of frameworks: how many tools stay as they are, and which shares of keywords are lost. */
export function frameworkTable(fidelity: ReadonlyMap<string, Fidelity>, tools: number): object {
  const frameworks = [...fidelity].filter(([name]) => name !== 'mcp-verbatim' && !name.includes('+'));
  return {
    tools,
    frameworks: frameworks.map(([name, { fates, keywords, lostKeywords }]) => {
      const all = Object.values(fates).reduce((sum, count) => sum + count, 0);
      const shares = [...keywords]
        .filter(([, uses]) => uses >= fewestUses)
        .map(([keyword, uses]) => [keyword, percent(lostKeywords.get(keyword) ?? 0, uses)] as const)
        .filter(([, share]) => share > 0)
        .sort(([, one], [, other]) => other - one);
      return {
        name,
        identical: percent(fates.identical, all),
        changed: percent(fates.meaning, all),
        lost: Object.fromEntries(shares),
      };
    }),
  };
}

function percent(count: number, all: number): number {
  return Math.round((100 * count) / all);
}
