import { type INode, type ISupplyDataFunctions, nodeNameToToolName } from 'n8n-workflow';
import { type Api, type Provider, providerOfModel } from '../../src/internal.js';
import { isObject, valueAt } from '../../src/json/index.js';
import type { RunContext } from '../host/execution.js';

interface GraphNode {
  type?: unknown;
  disabled?: unknown;
  parameters?: Record<string, unknown>;
}

/** The used part of n8n's workflow. It is not in the public types; n8n 1.123 to 2.41 have it. */
interface Workflow {
  getChildNodes(name: string, type: string, depth: number): string[];
  getParentNodes(name: string, type: string, depth: number): string[];
  getNode(name: string): GraphNode | null;
}

function workflowOf(context: RunContext): Workflow {
  return (context as unknown as { workflow: Workflow }).workflow; // see above
}

export function agentsOf(context: RunContext): string[] {
  const workflow = workflowOf(context);
  // A set goes on with what is added to it on the way.
  const found = new Set(askersOf(context));
  for (const name of found)
    if (isReview(workflow, name)) for (const next of workflow.getChildNodes(name, 'ai_tool', 1)) found.add(next);
  return [...found].filter((name) => !isReview(workflow, name));
}

/** As far as the workflow has them, and of the tool that an agent with an output parser gives its model. */
export function namesOfOthers(context: RunContext, agents: readonly string[]): string[] {
  const workflow = workflowOf(context);
  const attached = new Set(agents.flatMap((agent) => toolNodesOf(context, agent)));
  const named = [...attached].flatMap((name) => {
    const { type, disabled, parameters } = workflow.getNode(name) ?? {};
    if (disabled === true || hasSeveral.test(String(type)) || isReview(workflow, name)) return [];
    // Old versions of some nodes have the tool's name as a parameter.
    const own = parameters?.['name'];
    return [typeof own === 'string' ? own : nodeNameToToolName(name)];
  });
  return ['format_final_json_response', ...named];
}

/** The nodes in n8n's order of asking, which goes from the last connection to the first. */
export function toolNodesOf(context: RunContext, agent: string): string[] {
  const workflow = workflowOf(context);
  const attached = workflow.getParentNodes(agent, 'ai_tool', 1);
  return attached.flatMap((name) => (isReview(workflow, name) ? [name, ...toolNodesOf(context, name)] : [name]));
}

const hasSeveral = /\.(mcpVerbatimAi|mcpClientTool)$/;

function isReview(workflow: Workflow, name: string): boolean {
  return /HitlTool$/.test(String(workflow.getNode(name)?.type));
}

function askersOf(context: RunContext): string[] {
  return workflowOf(context).getChildNodes(context.getNode().name, 'ai_tool', 1);
}

/**
 * True if an AI Agent asks for the tools, rather than a node that knows only Zod. An unknown node counts as an agent.
 */
export function isAskedByAgent(context: RunContext): boolean {
  const types = askersOf(context).map((name) => workflowOf(context).getNode(name)?.type);
  return types.some((type) => type === undefined || (typeof type === 'string' && /\.agent(Tool)?$/.test(type)));
}

export function askingNode(context: ISupplyDataFunctions): INode | undefined {
  return (context as unknown as { parentNode?: INode }).parentNode; // see above
}

interface Models {
  /** Undefined if a model is unknown. */
  readonly providers: Provider[] | undefined;
  /** Responses if one of them uses it: its rules are valid for the other API, too. */
  readonly api: Api;
}

/**
 * The models of the agents, and of nodes that ask a model themselves. Behind a human review there are none: it wraps
 * the schema in one of its own, whose root every provider accepts.
 */
export function modelsOf(context: RunContext): Models {
  const workflow = workflowOf(context);
  const askers = askersOf(context).filter((name) => !isReview(workflow, name));
  const nodesOf = (names: readonly string[]) =>
    names.flatMap((name) => workflow.getNode(name) ?? []).filter(({ disabled }) => disabled !== true);
  const models = nodesOf(askersOf(context).flatMap((name) => workflow.getParentNodes(name, 'ai_languageModel', -1)));
  const found = [...models, ...nodesOf(askers)].flatMap((node) => {
    const baseUrl = valueAt(node.parameters, '/options/baseURL');
    return providerOfModel({ model: modelName(node), host: String(node.type).split('.').at(-1), baseUrl }) ?? [];
  });
  const isResponses = models.some(({ parameters }) => parameters?.['responsesApiEnabled'] === true);
  return {
    providers: found.length === 0 && models.length > 0 ? undefined : [...new Set(found)],
    api: isResponses ? 'responses' : 'completions',
  };
}

/**
 * The tool of "Execute step", which puts n8n's Tool Executor in the agent's place. '' if it names no tool, undefined
 * for an agent.
 */
export function toolRunAlone(context: RunContext): string | undefined {
  const parents = askersOf(context).map((name) => workflowOf(context).getNode(name));
  const executor = parents.find((node) => /\.toolExecutor$/.test(String(node?.type)));
  if (!executor) return undefined;
  const name = executor.parameters?.['toolName'];
  return typeof name === 'string' ? name : '';
}

function modelName({ parameters = {} }: GraphNode): string | undefined {
  const names = ['model', 'modelName', 'modelId'].map((name): unknown => {
    const given = parameters[name];
    return isObject(given) ? given['value'] : given;
  });
  return names.find((name): name is string => typeof name === 'string' && !name.startsWith('='));
}
