import { type INode, type ISupplyDataFunctions, nodeNameToToolName } from 'n8n-workflow';
import { type Provider, providerOfModel } from '../../src/internal.js';
import { isObject } from '../../src/json/index.js';
import type { RunContext } from '../host/execution.js';

/** What of n8n's workflow is used here. It is not in the public types; every n8n 2.x has it. */
interface WorkflowGraph {
  getChildNodes?(name: string, type: string, depth: number): string[];
  getParentNodes?(name: string, type: string, depth: number): string[];
  getNode?(name: string): { type?: unknown; disabled?: unknown; parameters?: Record<string, unknown> } | null;
}

/**
 * The names of the agents this node is attached to, behind human reviews or not. Where that cannot be told, all agents
 * count as one.
 */
export function agentsOf(context: RunContext): string[] {
  const graph = graphOf(context);
  // A set goes on with what is added to it on the way.
  const found = new Set(askersOf(context));
  for (const name of found)
    if (isReview(context, name)) for (const next of graph?.getChildNodes?.(name, 'ai_tool', 1) ?? []) found.add(next);
  return [...found].filter((name) => !isReview(context, name));
}

/**
 * The names of the other tools of these agents, as far as they stand in the workflow: those of nodes that are one tool
 * each, and of the tool that an agent gives its model where it has an output parser.
 */
export function namesOfOthers(context: RunContext, agents: readonly string[]): string[] {
  const graph = graphOf(context);
  const names = ['format_final_json_response'];
  const askers = new Set(agents);
  for (const asker of askers)
    for (const name of graph?.getParentNodes?.(asker, 'ai_tool', 1) ?? []) {
      const { type, disabled, parameters } = graph?.getNode?.(name) ?? {};
      if (isReview(context, name)) askers.add(name);
      else if (disabled !== true && !hasSeveral.test(String(type))) {
        // As old versions of some name their tool.
        const own = parameters?.['name'];
        names.push(typeof own === 'string' ? own : nodeNameToToolName(name));
      }
    }
  return names;
}

const hasSeveral = /\.(mcpVerbatimAi|mcpClientTool)$/;

function isReview(context: RunContext, name: string): boolean {
  return /HitlTool$/.test(String(graphOf(context)?.getNode?.(name)?.type));
}

/** The names of the nodes that ask this one for tools. */
function askersOf(context: RunContext): string[] {
  return graphOf(context)?.getChildNodes?.(context.getNode().name, 'ai_tool', 1) ?? [''];
}

/** Whether an AI Agent asks for the tools, and not one of the nodes that know only Zod. Who is unknown counts as one. */
export function isAskedByAgent(context: RunContext): boolean {
  const graph = graphOf(context);
  const types = askersOf(context).map((name) => graph?.getNode?.(name)?.type);
  return types.some((type) => type === undefined || (typeof type === 'string' && /\.agent(Tool)?$/.test(type)));
}

/** The node that asks for the tools. Not in the public types. */
export function askingNode(context: ISupplyDataFunctions): INode | undefined {
  return (context as unknown as { parentNode?: INode }).parentNode; // as said above
}

/**
 * Who runs the models of the agents that ask, behind a selector or not, as far as it is known to matter to a schema. A
 * human review puts the schema into one of its own, whose root no provider refuses.
 */
export function providersOf(context: RunContext): Provider[] {
  const graph = graphOf(context);
  const models = askersOf(context).flatMap((agent) => graph?.getParentNodes?.(agent, 'ai_languageModel', -1) ?? []);
  const found = models.flatMap((name) => {
    const node = graph?.getNode?.(name);
    if (!node || node.disabled === true) return [];
    return providerOfModel({ model: modelName(node), host: String(node.type).split('.').at(-1) }) ?? [];
  });
  return [...new Set(found)];
}

/**
 * The tool that a person runs on its own in the editor ("Execute step"), for which n8n puts its Tool Executor in the
 * place of the agent: '' where none was named, as the editor does. Undefined where an agent works.
 */
export function toolRunAlone(context: RunContext): string | undefined {
  const parents = askersOf(context).map((name) => graphOf(context)?.getNode?.(name));
  const executor = parents.find((node) => /\.toolExecutor$/.test(String(node?.type)));
  if (!executor) return undefined;
  const name = executor.parameters?.toolName;
  return typeof name === 'string' ? name : '';
}

/** The name of the model in a node of n8n's, where it stands there and is not worked out at run time. */
function modelName({ parameters = {} }: { parameters?: Record<string, unknown> }): string | undefined {
  const names = ['model', 'modelName', 'modelId'].map((name): unknown => {
    const given = parameters[name];
    return isObject(given) ? given['value'] : given;
  });
  return names.find((name): name is string => typeof name === 'string' && !name.startsWith('='));
}

function graphOf(context: RunContext): WorkflowGraph | undefined {
  // Not in the public types; every n8n tried has it, and without it the node does without what it would tell.
  return (context as unknown as { workflow?: WorkflowGraph }).workflow;
}
