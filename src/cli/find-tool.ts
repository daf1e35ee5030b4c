import type { Catalogue, CatalogueTool } from '../index.js';
import { UsageError } from './usage-error.js';
import { oneLine } from './terminal/printable.js';

/** @throws UsageError that says why the tool cannot be called, or which names come close */
export function findTool(catalogue: Catalogue, name: string): CatalogueTool {
  const tool = catalogue.find(name);
  if (tool) return tool;
  const aside = catalogue.setAside.find((candidate) => candidate.name === name);
  if (aside) throw new UsageError(`"${name}" was set aside: ${oneLine(aside.reason.message)}`);
  const near = catalogue.tools
    .map((candidate) => ({
      name: candidate.name,
      distance: distance(name.toLowerCase(), candidate.name.toLowerCase()),
    }))
    .filter((candidate) => candidate.distance <= Math.max(2, name.length / 3))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, 3);
  const advice =
    near.length > 0
      ? `Did you mean ${near.map((candidate) => oneLine(candidate.name)).join(', ')}?`
      : 'See mcp-verbatim list.';
  throw new UsageError(`The server has no tool "${name}". ${advice}`);
}

/** Levenshtein's: how many characters to insert, delete or exchange. Long names are compared by their heads. */
function distance(one: string, other: string): number {
  const from = one.slice(0, 64);
  const to = other.slice(0, 64);
  let row = Array.from({ length: to.length + 1 }, (_unused, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const exchange = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(exchange, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
