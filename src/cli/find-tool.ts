import type { Catalogue, CatalogueTool } from '../index.js';
import { cut, editDistance } from '../json/index.js';
import { UsageError } from './exit.js';
import { oneLine } from './terminal/text.js';

/** @throws UsageError that says why the tool cannot be called, or which names come close */
export function findTool(catalogue: Catalogue, name: string): CatalogueTool {
  const tool = catalogue.find(name);
  if (tool) return tool;
  const aside = catalogue.setAside.find((candidate) => candidate.name === name);
  if (aside) throw new UsageError(`"${name}" was set aside: ${oneLine(aside.reason.message)}`);
  const near = catalogue.tools
    .map((candidate) => ({ name: candidate.name, distance: distance(name, candidate.name) }))
    .filter((candidate) => candidate.distance < Infinity)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, 3);
  const advice =
    near.length > 0
      ? `Did you mean ${near.map((candidate) => oneLine(candidate.name)).join(', ')}?`
      : 'See mcp-verbatim list.';
  throw new UsageError(`The server has no tool "${name}". ${advice}`);
}

/** Long names are compared by their heads. */
function distance(wanted: string, name: string): number {
  const head = (text: string) => cut(text.toLowerCase(), 64);
  return editDistance(head(wanted), head(name), Math.max(2, Math.floor(wanted.length / 3)));
}
