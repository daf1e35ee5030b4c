import { type INode, type ISupplyDataFunctions, nodeNameToToolName } from 'n8n-workflow';
import { type Api, type Provider, providerOfModel } from '../../src/internal.js';
import { isObject, valueAt } from '../../src/json/index.js';
import type { RunContext } from '../host/execution.js';

interface GraphNode {
  type?: unknown;
  disabled?: unknown;
  parameters?: Record<string, unknown>;
}

/** The members of n8n's workflow that are used here (n8n 1.123 to 2.41). They are not in the public types. */
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
  // Iterating a set includes entries that are added meanwhile.
  const found = new Set(askersOf(context));
  for (const name of found)
    if (isReview(workflow, name)) for (const next of workflow.getChildNodes(name, 'ai_tool', 1)) found.add(next);
  return [...found].filter((name) => !isReview(workflow, name));
}

/** Tool names of other nodes, as far as the workflow tells, and of the tool that an output parser adds. */
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

/** The tool nodes of an agent in the order in which n8n asks them: the last connection first. */
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

/** True if an AI Agent or an unknown node asks for the tools. Other nodes understand only Zod. */
export function isAskedByAgent(context: RunContext): boolean {
  const types = askersOf(context).map((name) => workflowOf(context).getNode(name)?.type);
  return types.some((type) => type === undefined || (typeof type === 'string' && /\.agent(Tool)?$/.test(type)));
}

export function askingNode(context: ISupplyDataFunctions): INode | undefined {
  return (context as unknown as { parentNode?: INode }).parentNode; // see above
}

interface Models {
  /** Undefined if nothing is known about the models. */
  readonly providers: Provider[] | undefined;
  /** `responses` if one model uses that API: its rules are valid for the other API, too. */
  readonly api: Api;
}

/**
 * The models of agents and of nodes that ask a model themselves. A human review has none: it wraps the schema in its own,
 * whose root no provider rejects.
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

/** The tool that "Execute step" runs with n8n's Tool Executor: '' if it names none, undefined for an agent. */
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
