import type { CatalogueTool } from '../mcp/index.js';
import { isReadOnly } from '../tool/index.js';

/** Tools by the server's own names, or by a predicate. */
export type ToolFilter = readonly string[] | ((tool: CatalogueTool, server: string) => boolean);

export interface ToolSelection {
  readonly include?: ToolFilter | undefined;
  /** Wins over `include`. */
  readonly exclude?: ToolFilter | undefined;
  /** `true`: only tools that the server calls read-only; `false`: only the others. */
  readonly readOnly?: boolean | undefined;
}

export function isSelected({ include, exclude, readOnly }: ToolSelection, tool: CatalogueTool, server = ''): boolean {
  const matches = (filter: ToolFilter) =>
    typeof filter === 'function' ? filter(tool, server) : filter.includes(tool.name);
  if ((include && !matches(include)) || (exclude && matches(exclude))) return false;
  return readOnly === undefined || isReadOnly(tool) === readOnly;
}
