import { nodeNameToToolName } from 'n8n-workflow';
import { type ModelTool, modelTools } from '../../../src/internal.js';
import { atExecutionEnd, executionOf, type RunContext } from '../../connection/execution.js';
import { agentsOf, namesOfOthers } from '../workflow-graph.js';

interface AnnouncedNames {
  /** The agents this node is attached to. */
  agents: readonly string[];
  names: readonly string[];
}

/** Per execution: what each MCP Verbatim Tool node told the model, in the order in which the nodes were first asked. */
const executions = new Map<string, Map<string, AnnouncedNames>>();

/**
 * The names that other nodes have for the same agent, or have told it in this execution before this node was first
 * asked. An agent refuses two tools of one name. The order never changes within an execution, and so neither do the names.
 */
export function namesTaken(context: RunContext): string[] {
  const mine = agentsOf(context);
  const taken = namesOfOthers(context, mine);
  for (const [node, announced] of executions.get(executionOf(context)) ?? []) {
    if (node === context.getNode().name) break;
    if (announced.agents.some((agent) => mine.includes(agent))) taken.push(...announced.names);
  }
  return taken;
}

export function rememberNames(context: RunContext, names: readonly string[]): void {
  const execution = executionOf(context);
  const nodes = executions.get(execution) ?? begin(context, execution);
  nodes.set(context.getNode().name, { agents: agentsOf(context), names });
}

function begin(context: RunContext, execution: string): Map<string, AnnouncedNames> {
  const nodes = new Map<string, AnnouncedNames>();
  executions.set(execution, nodes);
  atExecutionEnd(context, () => executions.delete(execution));
  forgetOldest();
  return nodes;
}

/** Executions whose end nobody reported must not fill the memory. */
function forgetOldest(): void {
  const [oldest] = executions.keys();
  if (executions.size > 1000 && oldest !== undefined) executions.delete(oldest);
}

/** What stands in front of a name that another tool of the agent has: the name of the node, which a person gave it. */
export function ownerOf(context: RunContext): string {
  return nodeNameToToolName(context.getNode().name);
}

/**
 * The tool that is offered under a longer name where another node has told its name first. Who was first is known to
 * the process that asked the nodes; an execution that waited, say for a human's review, may go on in another one.
 */
export function renamedTool(
  context: RunContext,
  offered: readonly ModelTool[],
  name: string | undefined,
  prefix: string,
): ModelTool | undefined {
  const tools = offered.map(({ tool }) => tool);
  const naming = { prefix, taken: offered.map((tool) => tool.name), owner: ownerOf(context) };
  return modelTools(tools, naming).find((tool) => tool.name === name);
}
