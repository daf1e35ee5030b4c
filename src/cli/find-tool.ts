import type { Catalogue, CatalogueTool } from '../index.js';
import { cut, namesNear } from '../json/index.js';
import { UsageError } from './exit.js';
import { oneLine } from './terminal/text.js';

/** @throws UsageError that says why the tool cannot be called, or which names come close */
export function findTool(catalogue: Catalogue, name: string): CatalogueTool {
  const tool = catalogue.find(name);
  if (tool) return tool;
  const aside = catalogue.setAside.find((candidate) => candidate.name === name);
  if (aside) throw new UsageError(`"${name}" was set aside: ${oneLine(aside.reason.message)}`);
  const names = catalogue.tools.map((candidate) => candidate.name);
  // Somebody may type a name of any length, and the server have others like it.
  const wanted = cut(name, 64);
  const near = namesNear(wanted, names, Math.max(2, Math.floor(wanted.length / 3))).slice(0, 3);
  const advice = near.length > 0 ? `Did you mean ${near.map(oneLine).join(', ')}?` : 'See mcp-verbatim list.';
  throw new UsageError(`The server has no tool "${name}". ${advice}`);
}
