import { type ModelTool, type Provider, tooManyTools } from '../../../src/internal.js';
import { jsonText } from '../../../src/json/index.js';
import { hintList, hintSkipped, hintText, invisibleNotes, invisibleOfServer, refusals } from '../../hints.js';
import { itemsOf } from '../../host/agent-item.js';
import { isFirstTime, type RunContext } from '../../host/execution.js';
import { providersOf } from '../workflow-graph.js';
import type { ExposedTools } from './exposed-tools.js';
import { isSkippedByApproval } from './selection.js';

export function hintExposed(context: RunContext, { view, tools, sent, options }: ExposedTools): void {
  const { admission } = view.servers[0] ?? {};
  if (!admission || !isFirstTime(context, 'hinted')) return;
  const { catalogue, differences, warnings, tools: admitted } = admission;
  const { search, renamed } = view;
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
  warn('Not a tool of the server', [...warnings, ...view.warnings]);
  const names = renamed.map(({ name, tool }) => `"${tool.name}" is "${name}"`);
  inform('Named after this node, because another tool of the agent has the name', names);
  const changes = differences.filter(({ tool }) => tool === undefined || !isSkippedByApproval(catalogue, tool));
  const changeTexts = changes.map(({ message }) => message);
  warn('Differs from what was approved', changeTexts);
  const invisible = [
    ...invisibleOfServer(catalogue, instructions),
    ...tools.flatMap(({ tool }) => invisibleNotes(tool)),
  ];
  warn('Texts with characters that people do not see', invisible);
  const tooMany = (providersOf(context) ?? []).flatMap((provider) => tooManyTools(sent.length, provider) ?? []);
  warn('The request would be refused', tooMany);
  const refused = providerSafe ? [] : refusedBy(providersOf(context) ?? [], sent);
  warn('The option "Adapt Schemas to the Model" gives such schemas a form that the provider accepts', refused);
  const adapted = sent.filter(({ name, schema }) => tools.some((tool) => tool.name === name && tool.schema !== schema));
  const adaptedNames = adapted.map(({ name }) => quoted(name));
  inform("Adapted, because the model's provider refuses the original schema", adaptedNames);
  const hidden = [...admitted].flatMap(([tool, { fixed }]) => {
    const names = Object.keys(fixed);
    return names.length === 0 ? [] : [`${names.join(', ')} of "${tool}"`];
  });
  inform('Fixed, and hidden from the model', hidden);
  if (search) inform('Tool search', [`the model searches ${tools.length} tools`]);
}

function refusedBy(providers: readonly Provider[], tools: readonly ModelTool[]): string[] {
  return tools.flatMap(({ name, schema }) =>
    refusals({ inputSchema: schema }, providers).map(({ message }) => `"${name}": ${message}`),
  );
}

function quoted(name: string): string {
  return `"${name}"`;
}

/** Agents that call the tools themselves do so with those that they got for their first item. */
function isAboutFirstItem(context: RunContext): boolean {
  const aboutItems = /\$json\b|\$input\b|\.item\b|\$itemIndex\b|\$binary\b/;
  return itemsOf(context).length > 1 && aboutItems.test(jsonText(context.getNode().parameters));
}
