import type { Catalogue, CatalogueTool, ModelTool } from '../../src/index.js';
import { NodeOperationError } from 'n8n-workflow';
import type { RunContext } from '../connection/execution.js';
import { enumerate } from '../enumerate.js';
import { hintSetAside } from '../hints.js';
import { library } from '../library.js';
import type { NodeOptions } from '../options/read.js';
import { namesTaken, rememberNames } from './names.js';
import { hintProviders } from './provider-hints.js';
import { names, selectedTools } from './selection.js';
import { providersOf } from './surroundings.js';

/** The tools this node offers to the agent, under names that are unique among the MCP Verbatim Tool nodes around it. */
export async function offeredTools(
  context: RunContext,
  itemIndex: number,
  catalogue: Catalogue,
  { prefix, providerSafe }: Pick<NodeOptions, 'prefix' | 'providerSafe'>,
): Promise<ModelTool[]> {
  const { modelTools, providerSafeSchema } = await library();
  const tools = chosenTools(context, itemIndex, catalogue);
  const offered = modelTools(tools, { prefix, taken: namesTaken(context) });
  rememberNames(
    context,
    offered.map((tool) => tool.name),
  );
  hintSetAside(context, catalogue);
  const providers = providersOf(context);
  if (!providerSafe) {
    await hintProviders(context, offered, providers);
    return offered;
  }
  const adapted = (schema: ModelTool['schema']) => providers.reduce<ModelTool['schema']>(providerSafeSchema, schema);
  return offered.map((tool) => ({ ...tool, schema: adapted(tool.schema) }));
}

/**
 * The tool that is offered under a longer name where another node has told its name first. Who was first is known to
 * the process that asked the nodes; an execution that waited, say for a human's review, may go on in another one.
 */
export async function renamedTool(
  offered: readonly ModelTool[],
  name: string | undefined,
  prefix: string,
): Promise<ModelTool | undefined> {
  const { modelTools } = await library();
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
