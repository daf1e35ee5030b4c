import { type Catalogue, type CatalogueTool, IncompleteListError, type Session } from '../../internal.js';
import { counted, namesNear } from '../../json/index.js';
import type { Context } from '../context.js';
import { UsageError } from '../command.js';

export async function readTools(
  session: Session,
  { signal }: Context,
): Promise<{ catalogue: Catalogue; failure?: Error }> {
  try {
    return { catalogue: await session.listTools({ signal }) };
  } catch (error) {
    if (!(error instanceof IncompleteListError)) throw error;
    return { catalogue: error.partial as Catalogue, failure: error }; // of tools, it is one
  }
}

/** One tool of a server, even if the list after it cannot be read. */
export async function toolOf(session: Session, name: string, context: Context): Promise<CatalogueTool> {
  const { catalogue, failure } = await readTools(session, context);
  if (failure && !catalogue.find(name)) throw failure;
  return findTool(catalogue, name);
}

export function findTool(catalogue: Catalogue, name: string): CatalogueTool {
  const tool = catalogue.find(name);
  if (tool) return tool;
  const skipped = catalogue.skipped.find((candidate) => candidate.name === name);
  if (skipped) throw new UsageError(`"${name}" was skipped: ${skipped.reason.message}`);
  const names = catalogue.tools.map((candidate) => candidate.name);
  // Names in MCP have at most 128 characters; longer ones would cost time.
  const wanted = name.slice(0, 128);
  const near = namesNear(wanted, names, Math.max(2, Math.floor(wanted.length / 3))).slice(0, 3);
  const advice = near.length > 0 ? `Did you mean ${near.join(', ')}?` : 'See mcp-verbatim list.';
  throw new UsageError(`The server has no tool "${name}". ${advice}`);
}

export function toolCounts({ tools, skipped }: Catalogue): string[] {
  return [counted(tools.length, 'tool'), ...(skipped.length > 0 ? [`${skipped.length} skipped`] : [])];
}
