import { type ApprovalRule, approvalRule, type CatalogueTool, needsApproval } from '../internal.js';
import { checkOption, listOfTools } from '../json/index.js';

/**
 * The `interruptOn` of LangChain's `humanInTheLoopMiddleware`, filled in from the tools' annotations.
 *
 * ```ts
 * createAgent({ model, tools, middleware: [humanInTheLoopMiddleware({ interruptOn: interruptOn(tools) })] });
 * ```
 *
 * @param tools the result of `mcpTools`
 * @param rule the tools that a person has to approve; the annotations are only the server's claim
 */
export function interruptOn(
  tools: Iterable<{ readonly name: string; readonly server: string; readonly tool: CatalogueTool }>,
  rule: ApprovalRule = 'destructive',
): Record<string, boolean> {
  checkOption('interruptOn', 'tools', tools, listOfTools);
  checkOption('interruptOn', 'rule', rule, approvalRule);
  return Object.fromEntries([...tools].map(({ name, server, tool }) => [name, needsApproval(rule, tool, server)]));
}
