import { aFunction, either, oneOf } from '../json/index.js';
import type { CatalogueTool } from '../mcp/index.js';
import { isReadOnly } from '../tool/index.js';

/**
 * Which tools a person has to approve, by the server's annotations. Without `destructiveHint: false` a tool that is not
 * read-only is destructive (MCP, ToolAnnotations: the defaults are `readOnlyHint: false`, `destructiveHint: true`).
 */
export type ApprovalRule = 'all' | 'not-read-only' | 'destructive' | ((tool: CatalogueTool, server: string) => boolean);

/** Rejects unknown rules: a typo must not weaken approval. */
export const approvalRule = either(oneOf('all', 'not-read-only', 'destructive'), aFunction);

export function needsApproval(rule: ApprovalRule, tool: CatalogueTool, server: string): boolean {
  if (typeof rule === 'function') return rule(tool, server);
  if (rule === 'all') return true;
  if (isReadOnly(tool)) return false;
  return rule === 'not-read-only' || tool.annotations?.['destructiveHint'] !== false;
}
