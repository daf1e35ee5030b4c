import { isReadOnly } from '../../index.js';
import type { CatalogueTool, Repair } from '../../index.js';
import { aFunction, checkOption, either, listOfTools, oneOf } from '../../json/index.js';

/**
 * Which tools a human has to approve, by what the server says of them. The annotations are the server's word, not a
 * proof, so what they leave open counts as the worse: without `destructiveHint: false` a tool that is not read-only is
 * destructive (MCP, ToolAnnotations: the defaults are `readOnlyHint: false`, `destructiveHint: true`).
 */
export type ApprovalRule = 'all' | 'not-read-only' | 'destructive' | ((tool: CatalogueTool, server: string) => boolean);

/** What an {@link ApprovalRule} may be. @internal */
export const approvalRule = either(oneOf('all', 'not-read-only', 'destructive'), aFunction);

/** A call that waits for a human. */
export interface ApprovalRequest {
  /** The server's name in the configuration. */
  readonly server: string;
  readonly tool: CatalogueTool;
  /** Repaired and valid: what the server would receive. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly repairs: readonly Repair[];
}

/**
 * `true` calls the tool, `false` or a reason refuses it and tells the model, `arguments` calls it with those instead.
 * Anything else, such as a word that a person resumed the run with, is no approval.
 */
export type ApprovalAnswer = boolean | { approved: false; reason: string } | { approved: true; arguments?: unknown };

/** Which calls a human is asked about, and how. */
export interface Approval {
  /** Which tools. Default: 'destructive'. */
  when?: ApprovalRule;
  /** Asked before such a call; may itself interrupt a LangGraph run with `interrupt()`. */
  ask: (request: ApprovalRequest) => Promise<ApprovalAnswer> | ApprovalAnswer;
}

/** Whether `rule` wants a human for calls of `tool`. */
export function needsApproval(rule: ApprovalRule, tool: CatalogueTool, server: string): boolean {
  // A word that is none must not have fewer calls asked about than were meant.
  checkOption('needsApproval', 'rule', rule, approvalRule);
  if (typeof rule === 'function') return rule(tool, server);
  const readOnly = isReadOnly(tool);
  if (rule === 'all') return true;
  if (rule === 'not-read-only') return !readOnly;
  return !readOnly && tool.annotations?.['destructiveHint'] !== false;
}

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
  checkOption('interruptOn', 'rule', rule, approvalRule);
  return Object.fromEntries([...tools].map(({ name, server, tool }) => [name, needsApproval(rule, tool, server)]));
}
