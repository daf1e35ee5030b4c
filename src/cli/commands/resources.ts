import type { Resource, ResourceTemplate, Session } from '../../internal.js';
import { counted, jsonText } from '../../json/index.js';
import type { Context } from '../context.js';
import { exitCodes } from '../exit.js';
import { chosenServer, type NamedServer } from '../servers/choose.js';
import { eachServer, headline, withSession } from '../servers/sessions.js';
import { printReport } from '../terminal/json.js';
import { folderFor, renderBlocks } from '../terminal/result.js';
import { table } from '../terminal/table.js';
import type { Terminal } from '../terminal/terminal.js';
import type { ReadGiven, ResourcesGiven } from '../usage/resources.js';

/** The resources of one or several servers, and their templates. */
export function resources(given: ResourcesGiven, context: Context): Promise<number> {
  const { terminal, signal } = context;
  return eachServer(given, context, async (server, session, several) => {
    const found = await session.listResources({ signal });
    const templates = await session.listResourceTemplates({ signal });
    const name = several ? { server: server.name } : {};
    if (given.json) printReport({ ...name, resources: found, resourceTemplates: templates }, terminal);
    else if (terminal.columns === undefined) renderPlain(found, templates, Object.values(name), terminal);
    else render(found, templates, { server, session, terminal, columns: terminal.columns });
    return exitCodes.success;
  });
}

function renderPlain(
  found: readonly Resource[],
  templates: readonly ResourceTemplate[],
  first: readonly (string | undefined)[],
  terminal: Terminal,
): void {
  const fields = (entry: Readonly<Record<string, unknown>>) =>
    ['name', 'mimeType', 'description'].map((field) => text(entry[field]));
  const row = (...cells: readonly string[]) => {
    terminal.row([...first.map(text), ...cells]);
  };
  for (const resource of found) row(text(resource.uri), ...fields(resource));
  for (const template of templates) row(text(template.uriTemplate), ...fields(template), 'template');
}

function render(
  found: readonly Resource[],
  templates: readonly ResourceTemplate[],
  {
    server,
    session,
    terminal,
    columns,
  }: { server: NamedServer; session: Session; terminal: Terminal; columns: number },
): void {
  const { paint } = terminal;
  const counts = [counted(found.length, 'resource'), counted(templates.length, 'template')];
  terminal.line(headline(server, session, counts, terminal));
  const section = (entries: readonly Readonly<Record<string, unknown>>[], address: string) => {
    const rows = entries.map((entry) => ({
      cells: [
        text(entry[address]),
        [entry['title'] ?? entry['name'], entry['mimeType']].map(text).filter(Boolean).join(', '),
      ],
      below: entry['description'] === undefined ? [] : [{ text: text(entry['description']), paint: paint.dim }],
    }));
    terminal.line();
    for (const line of table(rows, columns, [{ atMost: Math.floor(columns * 0.5) }], [paint.cyan])) terminal.line(line);
  };
  if (found.length > 0) section(found, 'uri');
  if (templates.length > 0) section(templates, 'uriTemplate');
}

/** A field that is no text is shown as what it is. */
function text(value: unknown): string {
  return value === undefined ? '' : typeof value === 'string' ? value : jsonText(value);
}

/** What a resource holds; its parts one after the other. */
export async function read(given: ReadGiven, context: Context): Promise<number> {
  const { terminal, signal } = context;
  const server = await chosenServer(given, context);
  const folder = folderFor(given, context.cwd);
  return withSession(server, given, context, async (session) => {
    const contents = await session.readResource(given.words[0] ?? '', { signal });
    if (given.json) printReport(contents, terminal);
    else {
      const blocks = contents.map((part) =>
        typeof part.text === 'string' ? { type: 'text', text: part.text } : { type: 'resource', resource: part },
      );
      if (!renderBlocks(blocks, terminal, folder)) return exitCodes.usage;
    }
    return exitCodes.success;
  });
}
