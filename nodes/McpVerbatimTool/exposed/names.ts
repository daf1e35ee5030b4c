import { nodeNameToToolName } from 'n8n-workflow';
import { type ModelTool, modelTools } from '../../../src/internal.js';
import { executionMemory, type RunContext } from '../../host/execution.js';
import { agentsOf, namesOfOthers } from '../workflow-graph.js';

/** By node, in the order in which the nodes were first asked: the agents that it is attached to, and its tools' names. */
const used = executionMemory(() => new Map<string, { agents: readonly string[]; names: readonly string[] }>());

/** An agent refuses two tools of one name. */
export interface Naming {
  /** The names that nodes use for the same agent which were asked before this one. */
  taken: string[];
  /** What stands in front of a name that another tool has: the name that a person gave the node. */
  owner: string;
}

/** The order never changes within an execution, and so neither do the names. */
export function namingOf(context: RunContext): Naming {
  const agents = agentsOf(context);
  const taken = namesOfOthers(context, agents);
  const { name } = context.getNode();
  for (const [node, others] of used(context)) {
    if (node === name) break;
    if (others.agents.some((agent) => agents.includes(agent))) taken.push(...others.names);
  }
  return { taken, owner: nodeNameToToolName(name) };
}

export function rememberNames(context: RunContext, tools: readonly ModelTool[]): void {
  used(context).set(context.getNode().name, { agents: agentsOf(context), names: tools.map(({ name }) => name) });
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
  const naming = { prefix, taken: exposed.map((tool) => tool.name), owner: namingOf(context).owner };
  return modelTools(tools, naming).find((tool) => tool.name === name);
}
