import { nodeNameToToolName } from 'n8n-workflow';
import { type ModelTool, modelTools } from '../../../src/internal.js';
import { atExecutionEnd, BoundedMap, executionOf, type RunContext } from '../../host/execution.js';
import { agentsOf, namesOfOthers } from '../workflow-graph.js';

interface UsedNames {
  /** The agents that the node is attached to. */
  agents: readonly string[];
  names: readonly string[];
}

/** Per execution: the names that each MCP Verbatim Tool node uses, in the order in which the nodes were first asked. */
const executions = new BoundedMap<Map<string, UsedNames>>();

/**
 * The names that other nodes use for the same agent, as far as they were asked before this one. An agent refuses two tools
 * of one name. The order never changes within an execution, and so neither do the names.
 */
export function namesTaken(context: RunContext): string[] {
  const mine = agentsOf(context);
  const taken = namesOfOthers(context, mine);
  for (const [node, used] of executions.get(executionOf(context)) ?? []) {
    if (node === context.getNode().name) break;
    if (used.agents.some((agent) => mine.includes(agent))) taken.push(...used.names);
  }
  return taken;
}

export function rememberNames(context: RunContext, tools: readonly ModelTool[]): void {
  const execution = executionOf(context);
  const nodes = executions.get(execution) ?? new Map<string, UsedNames>();
  if (!executions.has(execution)) atExecutionEnd(context, () => executions.delete(execution));
  executions.set(execution, nodes);
  nodes.set(context.getNode().name, { agents: agentsOf(context), names: tools.map(({ name }) => name) });
}

/** What stands in front of a name that another tool of the agent has: the name of the node, which a person gave it. */
export function ownerOf(context: RunContext): string {
  return nodeNameToToolName(context.getNode().name);
}

/**
 * The tool that has a longer name where another node was asked first. That is known to the process that asked the nodes;
 * an execution that waited, say for a human's review, may go on in another one.
 */
export function renamedTool(
  context: RunContext,
  exposed: readonly ModelTool[],
  name: string | undefined,
  prefix: string,
): ModelTool | undefined {
  const tools = exposed.map(({ tool }) => tool);
  const naming = { prefix, taken: exposed.map((tool) => tool.name), owner: ownerOf(context) };
  return modelTools(tools, naming).find((tool) => tool.name === name);
}
