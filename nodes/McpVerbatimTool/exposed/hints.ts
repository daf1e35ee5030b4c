import { jsonText } from '../../../src/json/index.js';
import { hintList, hintSkipped, hintText, invisibleNotes, invisibleOfServer, refusals } from '../../hints.js';
import { itemsOf } from '../../host/agent-item.js';
import { isFirstTime, type RunContext } from '../../host/execution.js';
import { providersOf } from '../workflow-graph.js';
import type { ExposedTools } from './exposed-tools.js';
import { isUnapproved } from './selection.js';

/**
 * Says on the node, once in an execution, which tools cannot be called or were not approved, which the provider of the
 * model refuses, and what is kept from the model.
 */
export function hintExposed(context: RunContext, exposed: ExposedTools): void {
  const { listed, tools, sent, fixed, search, options } = exposed;
  if (!listed || !isFirstTime(context, 'hinted')) return;
  const { catalogue, differences, absent, renamed } = listed;
  const { instructions, providerSafe } = options.exposed;
  const inform = (what: string, entries: string[]) => hintList(context, 'info', what, entries);
  const warn = (what: string, entries: string[]) => hintList(context, 'warning', what, entries);
  if (isAboutFirstItem(context))
    hintText(
      context,
      'warning',
      'The agent has several items, but this version of AI Agent evaluates the expressions of this node for the first item only. AI Agent 3 and later evaluate them for each item.',
    );
  hintSkipped(context, catalogue);
  for (const [what, names] of Object.entries(absent)) warn(`${what}, but not a tool of the server`, quoted(names));
  const names = renamed.map(({ name, tool }) => `"${tool.name}" is "${name}"`);
  inform('Named after this node, because another tool of the agent has the name', names);
  const others = differences.filter(({ tool }) => tool === undefined || !isUnapproved(catalogue, tool));
  const changes = others.map(({ message }) => message);
  warn('Differs from what was approved', changes);
  const invisible = tools.flatMap(({ tool }) => invisibleNotes(tool));
  warn('Texts with characters that people do not see', [...invisibleOfServer(catalogue, instructions), ...invisible]);
  const refused = providerSafe ? [] : refusedBy(context, exposed);
  warn('The option "Adapt Schemas to the Model" gives such schemas a form that the provider accepts', refused);
  const adapted = sent.filter(({ name, schema }) => tools.some((tool) => tool.name === name && tool.schema !== schema));
  const adaptedNames = adapted.map(({ name }) => name);
  inform("Adapted, because the model's provider refuses the original schema", quoted(adaptedNames));
  const hidden = [...fixed].map(([tool, values]) => `${Object.keys(values).join(', ')} of "${tool}"`);
  inform('Fixed, and hidden from the model', hidden);
  if (search) inform('Tool search', [`the model searches ${tools.length} tools`]);
}

function quoted(names: readonly string[]): string[] {
  return names.map((name) => `"${name}"`);
}

/** Agents that call the tools themselves do so with those that they got for their first item. */
function isAboutFirstItem(context: RunContext): boolean {
  const aboutItems = /\$json\b|\$input\b|\.item\b|\$itemIndex\b|\$binary\b/;
  return itemsOf(context).length > 1 && aboutItems.test(jsonText(context.getNode().parameters));
}

/** The tools that the model's provider is known to refuse or to leave out. */
function refusedBy(context: RunContext, { sent }: ExposedTools): string[] {
  const providers = providersOf(context);
  return sent.flatMap(({ name, schema }) =>
    refusals({ inputSchema: schema }, providers).map(({ message }) => `"${name}": ${message}`),
  );
}
