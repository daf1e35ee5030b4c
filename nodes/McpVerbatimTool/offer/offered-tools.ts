import { NodeOperationError } from 'n8n-workflow';
import {
  type Catalogue,
  type CatalogueTool,
  type ModelTool,
  modelTools,
  type Provider,
  providerSafeSchema,
} from '../../../src/index.js';
import { ExecutionMemory, type RunContext } from '../../connection/execution.js';
import { hintList, hintSetAside } from '../../hints.js';
import { logListed } from '../../log.js';
import type { NodeOptions } from '../../options/read.js';
import { refusals } from '../../providers.js';
import { enumerate } from '../../text.js';
import { providersOf } from '../workflow-graph.js';
import { namesTaken, rememberNames } from './names.js';
import { names, selectedTools } from './selection.js';

/** The tools this node offers to the agent, under names that are unique among the MCP Verbatim Tool nodes around it. */
export function offeredTools(
  context: RunContext,
  itemIndex: number,
  catalogue: Catalogue,
  { prefix, providerSafe }: Pick<NodeOptions, 'prefix' | 'providerSafe'>,
): ModelTool[] {
  const tools = chosenTools(context, itemIndex, catalogue);
  const offered = modelTools(tools, { prefix, taken: namesTaken(context) });
  rememberNames(
    context,
    offered.map((tool) => tool.name),
  );
  logListed(context, catalogue, offered.length);
  if (!providerSafe) return offered;
  const providers = providersOf(context);
  const adapted = (schema: ModelTool['schema']) => providers.reduce<ModelTool['schema']>(providerSafeSchema, schema);
  return offered.map((tool) => ({ ...tool, schema: adapted(tool.schema) }));
}

const warned = new ExecutionMemory<true>();

/** Says on the node, once in an execution, which tools cannot be called and which the provider of the model refuses. */
export function hintOffer(
  context: RunContext,
  catalogue: Catalogue,
  offered: readonly ModelTool[],
  { providerSafe }: Pick<NodeOptions, 'providerSafe'>,
): void {
  if (warned.get(context)) return;
  warned.set(context, true);
  hintSetAside(context, catalogue);
  if (!providerSafe) hintProviders(context, offered, providersOf(context));
}

/**
 * The tool that is offered under a longer name where another node has told its name first. Who was first is known to
 * the process that asked the nodes; an execution that waited, say for a human's review, may go on in another one.
 */
export function renamedTool(
  offered: readonly ModelTool[],
  name: string | undefined,
  prefix: string,
): ModelTool | undefined {
  const tools = offered.map(({ tool }) => tool);
  return modelTools(tools, { prefix, taken: offered.map((tool) => tool.name) }).find((tool) => tool.name === name);
}

function chosenTools(context: RunContext, itemIndex: number, catalogue: Catalogue): readonly CatalogueTool[] {
  const include = context.getNodeParameter('include', itemIndex, 'all');
  const includeTools = context.getNodeParameter('includeTools', itemIndex, []);
  const excludeTools = context.getNodeParameter('excludeTools', itemIndex, []);
  if (include === 'selected') refuseMissing(context, itemIndex, catalogue, names(includeTools));
  return selectedTools(catalogue, { include, includeTools, excludeTools });
}

/** A selected tool that the server no longer offers would otherwise be missed in silence. */
function refuseMissing(context: RunContext, itemIndex: number, catalogue: Catalogue, wanted: string[]): void {
  const missing = wanted.filter((name) => catalogue.find(name) === undefined);
  if (wanted.length > 0 && missing.length === 0) return;
  const [message, description] =
    wanted.length === 0
      ? ['No tool is selected', 'Select at least one tool under "Tools to Include", or include all.']
      : [
          `The server does not offer ${missing.map((name) => `"${name}"`).join(', ')}`,
          `It offers: ${enumerate(catalogue.tools.map((tool) => tool.name)) || 'nothing that can be called'}.`,
        ];
  throw new NodeOperationError(context.getNode(), message, { description, itemIndex });
}

/** Names the tools that the model's provider is known to refuse or to leave out. */
function hintProviders(context: RunContext, offered: readonly ModelTool[], providers: readonly Provider[]): void {
  const told = offered.flatMap(({ name, schema }) =>
    refusals({ inputSchema: schema }, providers).map(({ message }) => `"${name}": ${message}`),
  );
  const advice = 'The option "Adapt Schemas to the Model" shows such schemas in a form that the provider accepts';
  if (told.length > 0) hintList(context, 'warning', advice, told);
}
