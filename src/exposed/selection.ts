import type { CatalogueTool } from '../mcp/index.js';
import { isReadOnly } from '../tool/index.js';

/** Tools by the server's own names, or by a predicate. */
export type ToolFilter = readonly string[] | ((tool: CatalogueTool, server: string) => boolean);

/** Which tools of a server are exposed. Default: all. */
export interface ToolSelection {
  include?: ToolFilter | undefined;
  /** Wins over `include`. */
  exclude?: ToolFilter | undefined;
  /** Only tools that, by their server's word, change nothing (true), or only the others (false). */
  readOnly?: boolean | undefined;
}

export function isSelected({ include, exclude, readOnly }: ToolSelection, tool: CatalogueTool, server = ''): boolean {
  const matches = (filter: ToolFilter) =>
    typeof filter === 'function' ? filter(tool, server) : filter.includes(tool.name);
  if ((include && !matches(include)) || (exclude && matches(exclude))) return false;
  return readOnly === undefined || isReadOnly(tool) === readOnly;
}
