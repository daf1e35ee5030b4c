import type { ModelTool, Provider } from '../../../src/internal.js';
import { hintList, hintSkipped, invisibleNotes, invisibleOfServer, refusals } from '../../hints.js';
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
