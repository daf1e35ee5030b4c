import { isReadOnly, type CatalogueTool } from '../internal.js';
import { aFunction, checkOption, either, listOfTools, oneOf } from '../json/index.js';

/**
 * Which tools a person has to approve, by the server's annotations. Without `destructiveHint: false` a tool that is not
 * read-only is destructive (MCP, ToolAnnotations: the defaults are `readOnlyHint: false`, `destructiveHint: true`).
 */
export type ApprovalRule = 'all' | 'not-read-only' | 'destructive' | ((tool: CatalogueTool, server: string) => boolean);

const approvalRule = either(oneOf('all', 'not-read-only', 'destructive'), aFunction);

/**
 * The `interruptOn` of LangChain's `humanInTheLoopMiddleware`, filled in from the tools' annotations.
 *
 * ```ts
 * createAgent({ model, tools, middleware: [humanInTheLoopMiddleware({ interruptOn: interruptOn(tools) })] });
 * ```
 */
export function interruptOn(
  tools: Iterable<{ readonly name: string; readonly server: string; readonly tool: CatalogueTool }>,
  rule: ApprovalRule = 'destructive',
): Record<string, boolean> {
  checkOption('interruptOn', 'tools', tools, listOfTools);
  // A word that is none must not have fewer calls asked about than were meant.
  checkOption('interruptOn', 'rule', rule, approvalRule);
  return Object.fromEntries([...tools].map(({ name, server, tool }) => [name, needsApproval(rule, tool, server)]));
}

function needsApproval(rule: ApprovalRule, tool: CatalogueTool, server: string): boolean {
  if (typeof rule === 'function') return rule(tool, server);
  const readOnly = isReadOnly(tool);
  if (rule === 'all') return true;
  if (rule === 'not-read-only') return !readOnly;
  return !readOnly && tool.annotations?.['destructiveHint'] !== false;
}
