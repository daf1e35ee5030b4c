import { isObject, resolveLocalReference } from '../../json/index.js';
import { modelSchema } from '../../internal.js';
import type { CatalogueTool } from '../../internal.js';
import type { ShowGiven } from '../usage/show.js';
import { chosenServer } from '../servers/choose.js';
import { exitCodes } from '../exit.js';
import { printJson } from '../terminal/json.js';
import { definitionText, toolOf } from './list.js';
import type { Context } from '../context.js';
import { brief, factsOf } from '../schema/facts.js';
import { descriptionOf, schemaTree } from '../schema/tree.js';
import { withSession } from '../servers/sessions.js';
import { wrap } from '../terminal/text.js';
import type { Terminal } from '../terminal/terminal.js';

/** One tool, for people: everything that its server says of it. */
export async function show(given: ShowGiven, context: Context): Promise<number> {
  const { terminal } = context;
  await withSession(await chosenServer(given, context), given, context, async (session) => {
    const tool = await toolOf(session, given.words[0] ?? '', context);
    if (given.json) printJson(definitionText(tool), terminal);
    else render(tool, terminal);
  });
  return exitCodes.success;
}

function render(tool: CatalogueTool, terminal: Terminal): void {
  const { paint, columns = 100 } = terminal;
  terminal.line(`${paint.bold(tool.name)}${tool.title === undefined ? '' : `  ${tool.title}`}`);
  const description = (tool.description ?? '').trim();
  if (description !== '') for (const line of wrap(description, columns)) terminal.line(line);
  renderSchema('Arguments', tool.inputSchema, terminal, columns);
  if (tool.outputSchema !== undefined) renderSchema('Result', tool.outputSchema, terminal, columns);
  section('Effects, as the server states them', effects(tool), terminal);
  section(
    'Notes',
    [
      ...toldOtherwise(tool),
      ...tool.notes.map(({ message, schemaLocation }) => noted(message, schemaLocation)),
    ].flatMap((note) => wrap(note, columns - 2)),
    terminal,
  );
}

function renderSchema(heading: string, schema: unknown, terminal: Terminal, columns: number): void {
  const { paint } = terminal;
  const { lines, references } = schemaTree(schema, { paint, columns });
  terminal.line();
  terminal.line(`${paint.bold(heading)} ${paint.dim(factsOf(schema))}`);
  for (const line of lines) terminal.line(line);
  if (lines.length === 0) terminal.line(paint.dim('  (none)'));
  // A Set grows while it is walked: definitions that definitions refer to are met in turn, each once.
  for (const reference of references) {
    const target = resolveLocalReference(schema, reference);
    if (reference === '#') continue;
    terminal.line();
    terminal.line(`${paint.bold(reference)} ${paint.dim(target === undefined ? unshown(reference) : factsOf(target))}`);
    if (descriptionOf(target) !== '')
      for (const line of wrap(descriptionOf(target), columns)) terminal.line(paint.dim(line));
    const inner = schemaTree(target, { paint, columns });
    for (const line of inner.lines) terminal.line(line);
    for (const further of inner.references) references.add(further);
  }
}

/** Only pointers are followed here; an anchor or the address of an embedded schema may well lead somewhere. */
function unshown(reference: string): string {
  return reference.startsWith('#/') ? 'leads nowhere' : 'is not drawn; --json has it';
}

function section(heading: string, lines: readonly string[], terminal: Terminal): void {
  if (lines.length === 0) return;
  terminal.line();
  terminal.line(terminal.paint.bold(heading));
  for (const each of lines) terminal.line(`  ${each}`);
}

function effects({ annotations = {} }: CatalogueTool): string[] {
  const words: Record<string, [yes: string, no: string]> = {
    readOnlyHint: ['only reads', 'may change things'],
    destructiveHint: ['may destroy or overwrite', 'only adds'],
    idempotentHint: ['the same call twice does no more than once', 'the same call twice may do more than once'],
    openWorldHint: ['reaches out to the open world', 'stays in its own domain'],
  };
  return Object.entries(annotations).flatMap(([name, value]) => {
    const known = Object.hasOwn(words, name) ? words[name] : undefined;
    if (name === 'title') return [];
    return [
      known && typeof value === 'boolean'
        ? `${value ? known[0] : known[1]} (${name}: ${value})`
        : `${name}: ${brief(value)}`,
    ];
  });
}

/** Where the model is told anything but the schema itself. */
function toldOtherwise(tool: CatalogueTool): string[] {
  const schema = modelSchema(tool);
  return schema === tool.inputSchema || !isObject(schema)
    ? []
    : ['The root has no "type"; models are told "type": "object" in front of it.'];
}

function noted(message: string, location: string | undefined): string {
  return location === undefined ? message : `${location}: ${message}`;
}
