import type { ApprovalDifference, ApprovedCatalogue } from '../approval/index.js';
import { isUnapproved, onlyApproved, positionsOf } from '../approval/index.js';
import { quote } from '../json/index.js';
import { type Catalogue, type CatalogueTool, McpError, type ServerAddress, type SkippedTool } from '../mcp/index.js';
import { FixedArgumentsError, fixedForTool, refuseUndeclared } from '../tool/index.js';
import type { NamingOption, ToolPolicy } from './policy.js';
import { isNamed, isSelected, optionsOf, unknownNames, unknownTool } from './policy.js';

/** The server whose tools are admitted, and its policy. */
export interface Governed {
  readonly name: string;
  readonly address?: ServerAddress | undefined;
  readonly policy: ToolPolicy;
}

/** The result of applying a policy to one list. */
export interface Admission {
  /** As the server sent it. */
  readonly listed: Catalogue;
  /** The approved tools; the rest is among the catalogue's skipped tools. */
  readonly catalogue: Catalogue;
  readonly differences: readonly ApprovalDifference[];
  /** The tools that may be called, by their own names. */
  readonly tools: ReadonlyMap<string, AdmittedTool>;
  readonly warnings: readonly string[];
  /** Why no tool may be called. */
  readonly problem?: Error | undefined;
  /** The option whose unknown name is the problem. */
  readonly wrongOption?: NamingOption | undefined;
}

export interface AdmittedTool {
  readonly tool: CatalogueTool;
  /** As the tool takes them; functions are still to be called. */
  readonly fixed: Readonly<Record<string, unknown>>;
}

/** Applies a policy to a list; no other code does. Never throws: an error is in `problem`. */
export function admissionOf(server: Governed, listed: Catalogue): Admission {
  const { policy, name } = server;
  let approved: ApprovedCatalogue;
  try {
    approved = approvedOf(server, listed);
  } catch (error) {
    return nothing(listed, error as Error); // onlyApproved throws McpErrors
  }
  const { catalogue, differences } = approved;
  const named = name === '' ? [] : [name];
  const { warnings, problem, option } = unknownNames(policy, optionsOf(policy, false), [catalogue], named);
  if (problem) return { ...nothing(listed, problem), differences, warnings, wrongOption: option };
  const tools = new Map<string, AdmittedTool>();
  const disabled: SkippedTool[] = [];
  const positions = positionsOf(listed);
  for (const tool of catalogue.tools) {
    if (!isSelected(policy.selection ?? {}, tool, name)) continue;
    try {
      tools.set(tool.name, { tool, fixed: fixedFor(tool, policy) });
    } catch (error) {
      if (!(error instanceof FixedArgumentsError)) throw error;
      const reason = { code: 'fixed-arguments', message: error.message };
      const position = positions[listed.tools.indexOf(tool)] ?? 0;
      disabled.push({ name: tool.name, position, definition: tool.definition, reason });
    }
  }
  if (disabled.length === 0) return { listed, catalogue, differences, tools, warnings };
  const skipped = [...catalogue.skipped, ...disabled].sort((one, other) => one.position - other.position);
  return { listed, catalogue: { ...catalogue, skipped }, differences, tools, warnings };
}

function approvedOf({ name, address, policy }: Governed, listed: Catalogue): ApprovedCatalogue {
  const { approved, approvedName, whenChanged, selection = {}, exposesInstructions = true } = policy;
  if (!approved) return { catalogue: listed, differences: [] };
  const matters = (tool: string) => {
    const found = listed.find(tool);
    return found ? isSelected(selection, found, name) : mayBeSelected(policy, tool);
  };
  return onlyApproved(listed, approved, { name: approvedName, address, whenChanged, matters, exposesInstructions });
}

function mayBeSelected({ selection: { include, exclude } = {} }: ToolPolicy, tool: string): boolean {
  const names = (filter: readonly string[]) => filter.some((named) => isNamed(named, tool));
  return (typeof include !== 'object' || names(include)) && !(typeof exclude === 'object' && names(exclude));
}

/** The instructions of a server whose approval failed are not for a model. */
function nothing(listed: Catalogue, problem: Error): Admission {
  const isUnapproved = problem instanceof McpError && problem.code === 'NOT_AS_APPROVED';
  const catalogue = { ...listed, tools: [], find: () => undefined, ...(isUnapproved && { instructions: undefined }) };
  return { listed, catalogue, differences: [], tools: new Map(), warnings: [], problem };
}

/** @throws FixedArgumentsError for arguments that the tool does not declare */
function fixedFor(tool: CatalogueTool, { fixed = {} }: ToolPolicy): Readonly<Record<string, unknown>> {
  const own = Object.hasOwn(fixed, tool.name) ? (fixed[tool.name] ?? {}) : {};
  refuseUndeclared(tool, Object.keys(own));
  const isFunction = ([, value]: [string, unknown]) => typeof value === 'function';
  const entries = Object.entries<unknown>(own);
  const typed = fixedForTool(tool, Object.fromEntries(entries.filter((entry) => !isFunction(entry))));
  return { ...Object.fromEntries(entries.filter(isFunction)), ...typed };
}

/** @throws the reason why this tool may not be called on the connection that was listed */
export function admittedTool({ tools, catalogue, problem }: Admission, name: string): AdmittedTool {
  const admitted = tools.get(name);
  if (admitted) return admitted;
  if (problem) throw problem;
  const skipped = catalogue.skipped.find((entry) => entry.name === name);
  if (!skipped) throw unknownTool(name, [...tools.keys()]);
  const isApprovals = isUnapproved(skipped);
  throw new McpError(`The tool ${quote(name)} was not called. ${skipped.reason.message}`, {
    code: isApprovals ? 'NOT_AS_APPROVED' : 'UNKNOWN_TOOL',
    ...(isApprovals && { hint: 'Review the change, and approve the tools again if you agree.' }),
  });
}
