import { cutSchema, hasReference, isUnapproved } from '../../../src/internal.js';
import { hintList, hintSkipped, invisibleNotes, invisibleOfServer } from '../../hints.js';
import { isFirstTime, type RunContext } from '../../host/execution.js';
import { modelsOf } from '../workflow-graph.js';
import type { ExposedTools } from './exposed-tools.js';

export function hintExposed(context: RunContext, { view, tools, sent, cut, options }: ExposedTools): void {
  const { admission } = view.servers[0] ?? {};
  if (!admission || !isFirstTime(context, 'hinted')) return;
  const { catalogue, differences, warnings, tools: admitted } = admission;
  const { search, renamed } = view;
  const inform = (what: string, entries: string[]) => hintList(context, 'info', what, entries);
  const warn = (what: string, entries: string[]) => hintList(context, 'warning', what, entries);
  hintSkipped(context, catalogue);
  warn('Not a tool of the server', [...warnings, ...view.warnings]);
  const names = renamed.map(({ name, tool }) => `"${tool.name}" is "${name}"`);
  inform('Named after this node, because another tool of the agent has the name', names);
  const unapproved = new Set(catalogue.skipped.filter(isUnapproved).map(({ name }) => name));
  const changes = differences.filter(({ tool }) => tool === undefined || !unapproved.has(tool));
  const changed = changes.map(({ message }) => message);
  warn('Differs from what was approved', changed);
  const unseen = tools.flatMap(({ tool }) => invisibleNotes(tool));
  const unseenOfServer = invisibleOfServer(catalogue, options.exposed.instructions);
  warn('Texts with characters that people do not see', [...unseenOfServer, ...unseen]);
  const namesOf = (named: readonly { readonly name: string }[]) => named.map(({ name }) => `"${name}"`);
  const adapted = sent.filter(({ name, schema }) => tools.some((tool) => tool.name === name && tool.schema !== schema));
  inform("Adapted, because the model's provider rejects the original schema", namesOf(adapted));
  warn(cutSchema, namesOf(sent.filter(({ name }) => cut.includes(name))));
  const referring = modelsOf(context).providers ? [] : tools.filter(({ schema }) => hasReference(schema));
  const onlyIfNamed = 'Gemini rejects references. They are replaced only if the model node names a Gemini model';
  inform(onlyIfNamed, namesOf(referring));
  const hidden = [...admitted].flatMap(([tool, { fixed }]) => Object.keys(fixed).map((name) => `${name} of "${tool}"`));
  inform('Fixed, and hidden from the model', hidden);
  if (search) inform('Tool search', [`the model searches ${tools.length} tools`]);
}
