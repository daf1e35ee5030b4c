import type { ApprovedCatalogue, ModelTool, Provider } from '../../../src/internal.js';
import { jsonText } from '../../../src/json/index.js';
import { itemsOf } from '../../host/agent-item.js';
import { ExecutionMemory, type RunContext } from '../../connection/execution.js';
import { hintFirstItem, hintList, hintSkipped, invisibleNotes, invisibleOfServer } from '../../hints.js';
import type { NodeOptions } from '../../options/read.js';
import { refusals } from '../../providers.js';
import { providersOf } from '../workflow-graph.js';
import type { Offer } from './offered-tools.js';
import { isUnapproved } from './selection.js';

const warned = new ExecutionMemory<true>();

/**
 * Says on the node, once in an execution, which tools cannot be called or were not approved, which the provider of the
 * model refuses, and what the model is not told.
 */
export function hintOffer(
  context: RunContext,
  { catalogue, differences }: ApprovedCatalogue,
  { tools, told, fixed, discovery, absent, renamed }: Offer,
  { providerSafe, offer }: Pick<NodeOptions, 'providerSafe' | 'offer'>,
): void {
  if (warned.get(context)) return;
  warned.set(context, true);
  if (isAboutFirstItem(context)) hintFirstItem(context);
  hintSkipped(context, catalogue);
  hintAbsent(context, 'Selected', absent.notSelected);
  hintAbsent(context, 'To be left out', absent.notLeftOut);
  hintAbsent(context, 'Always offered', absent.notPinned);
  const names = renamed.map(({ name, tool }) => `"${tool.name}" is "${name}"`);
  hintList(context, 'info', 'Called after this node, because another tool of the agent has the name', names);
  const others = differences.filter(({ tool }) => tool === undefined || !isUnapproved(catalogue, tool));
  const what = others.map(({ message }) => message);
  hintList(context, 'warning', 'Differs from what was approved', what);
  const odd = [
    ...invisibleOfServer(catalogue, offer.instructions),
    ...tools.flatMap(({ tool }) => invisibleNotes(tool)),
  ];
  hintList(context, 'warning', 'Texts that say something else than people see', odd);
  if (!providerSafe) hintProviders(context, told, providersOf(context));
  const changed = told.filter(({ name, schema }) => tools.some((tool) => tool.name === name && tool.schema !== schema));
  hintList(
    context,
    'info',
    "Told in a form that the model's provider accepts",
    changed.map(({ name }) => `"${name}"`),
  );
  const hidden = [...fixed].map(([tool, values]) => `${Object.keys(values).join(', ')} of "${tool}"`);
  hintList(context, 'info', 'Fixed, and not told to the model', hidden);
  if (discovery) hintList(context, 'info', 'On demand', [`the model searches ${tools.length} tools`]);
}

function hintAbsent(context: RunContext, what: string, absent: readonly string[]): void {
  const names = absent.map((name) => `"${name}"`);
  hintList(context, 'warning', `${what}, but not among the tools of the server`, names);
}

/** Agents that call the tools themselves do so with those that they were supplied for their first item. */
function isAboutFirstItem(context: RunContext): boolean {
  const aboutItems = /\$json\b|\$input\b|\.item\b|\$itemIndex\b|\$binary\b/;
  return itemsOf(context).length > 1 && aboutItems.test(jsonText(context.getNode().parameters));
}

/** Names the tools that the model's provider is known to refuse or to leave out. */
function hintProviders(context: RunContext, offered: readonly ModelTool[], providers: readonly Provider[]): void {
  const refused = offered.flatMap(({ name, schema }) =>
    refusals({ inputSchema: schema }, providers).map(({ message }) => `"${name}": ${message}`),
  );
  const advice = 'The option "Adapt Schemas to the Model" shows such schemas in a form that the provider accepts';
  hintList(context, 'warning', advice, refused);
}
