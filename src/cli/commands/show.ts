import { type CatalogueTool, definitionText } from '../../internal.js';
import { briefJson, JsonScanner } from '../../json/index.js';
import { command, exitCodes, flag, serverOptions } from '../command.js';
import { chosenServer } from '../servers/choose.js';
import { withSession } from '../servers/sessions.js';
import { toolOf } from '../servers/tools.js';
import { indentedJson, printJson, type Terminal } from '../terminal/terminal.js';
import { wrap } from '../terminal/text.js';

export const show = command({
  operands: [{ form: 'TOOL', needed: 'the name of a tool' }],
  about:
    'Shows one tool: its description, its input schema and its output schema as the server wrote them, what the server states about its effects, and notes.',
  options: { ...serverOptions, json: flag('print the whole tool object exactly as the server wrote it') },
  examples: ['show create_issue --config mcp.json --server github'],
  async run(given, context) {
    const { terminal } = context;
    await withSession(await chosenServer(given, context), given, context, async (session) => {
      const tool = await toolOf(session, given.words[0] ?? '', context);
      if (given.json) printJson(definitionText(tool), terminal);
      else render(tool, terminal);
    });
    return exitCodes.success;
  },
});

function render(tool: CatalogueTool, terminal: Terminal): void {
  const { paint, columns = 100 } = terminal;
  const { name, title, description = '' } = tool;
  const json = new JsonScanner(definitionText(tool));
  const section = (heading: string, lines: readonly string[]) => {
    if (lines.length === 0) return;
    terminal.line();
    terminal.line(paint.bold(heading));
    for (const line of lines) terminal.line(line);
  };
  const schemaLines = (member: string) => {
    const schema = json.member(json.root(), member);
    return schema ? indentedJson(json.slice(schema)).split('\n') : [];
  };
  terminal.line(`${paint.bold(name)}${title === undefined ? '' : `  ${title}`}`);
  if (description.trim() !== '') for (const line of wrap(description.trim(), columns)) terminal.line(line);
  section('Input schema', schemaLines('inputSchema'));
  section('Output schema', schemaLines('outputSchema'));
  section('Effects, as the server states them', indented(effects(tool)));
  const notes = tool.notes.map(({ message, schemaLocation: at }) => (at === undefined ? message : `${at}: ${message}`));
  section('Notes', indented([...schemaNotes(tool), ...notes].flatMap((note) => wrap(note, columns - 2))));
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

const effectTexts: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  readOnlyHint: ['only reads', 'may change things'],
  destructiveHint: ['may destroy or overwrite', 'only adds'],
  idempotentHint: ['the same call twice does no more than once', 'the same call twice may do more than once'],
  openWorldHint: ['reaches out to the open world', 'stays in its own domain'],
};

function effects({ annotations = {} }: CatalogueTool): string[] {
  return Object.entries(annotations).flatMap(([name, value]) => {
    if (name === 'title') return [];
    const known = Object.hasOwn(effectTexts, name) ? effectTexts[name] : undefined;
    if (!known || typeof value !== 'boolean') return [`${name}: ${briefJson(value, 48)}`];
    return [`${known[value ? 0 : 1]} (${name}: ${value})`];
  });
}

function schemaNotes({ inputSchema }: CatalogueTool): string[] {
  if ('type' in inputSchema) return [];
  return ['The root has no "type"; the schema for the model has "type": "object" added.'];
}
