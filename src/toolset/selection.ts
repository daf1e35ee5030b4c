import type { CatalogueTool } from '../mcp/index.js';
import { isReadOnly } from '../tool/index.js';

/** Tools by the server's own names, in which `*` stands for any characters, or by a predicate. */
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
    typeof filter === 'function' ? filter(tool, server) : filter.some((named) => isNamed(named, tool.name));
  if ((include && !matches(include)) || (exclude && matches(exclude))) return false;
  return readOnly === undefined || isReadOnly(tool) === readOnly;
}

/** Without a regular expression: a name of a server must not take long. */
export function isNamed(pattern: string, name: string): boolean {
  if (pattern === name || !pattern.includes('*')) return pattern === name;
  const [first = '', ...more] = pattern.split('*');
  const last = more.pop() ?? '';
  let at = name.startsWith(first) ? first.length : -1;
  for (const part of more) {
    const found = at < 0 ? -1 : name.indexOf(part, at);
    at = found < 0 ? -1 : found + part.length;
  }
  return at >= 0 && name.length - last.length >= at && name.endsWith(last);
}
