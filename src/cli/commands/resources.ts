import { counted, jsonText } from '../../json/index.js';
import { command, flag } from '../command.js';
import { exitCodes } from '../exit.js';
import { saveOption, serverOptions } from '../server-options.js';
import { chosenServer } from '../servers/choose.js';
import { eachServer, headline, withSession } from '../servers/sessions.js';
import { printReport } from '../terminal/json.js';
import { folderFor, printBlocks } from '../terminal/result.js';
import { printTable } from '../terminal/table.js';

export const resources = command({
  about: `Lists the resources of the server (address, name, type, description), then the templates of addresses (RFC
6570), which read takes with their variables filled in. In a pipe it prints one line for each, its fields separated by
tabs, with the word template at the end of a template; with several servers the server's name comes first.`,
  options: { ...serverOptions, json: flag('print the resources and templates as JSON') },
  examples: ['resources -- npx -y @modelcontextprotocol/server-everything'],
  async run({ json, ...given }, context) {
    const { terminal, signal } = context;
    return eachServer(given, context, async (server, session, several) => {
      const found = await session.listResources({ signal });
      const templates = await session.listResourceTemplates({ signal });
      const name = several ? { server: server.name } : {};
      if (json) printReport({ ...name, resources: found, resourceTemplates: templates }, terminal);
      else if (terminal.columns === undefined) {
        const fields = (entry: Entry) => ['name', 'mimeType', 'description'].map((field) => text(entry[field]));
        const row = (...cells: readonly string[]) => {
          terminal.row([...Object.values(name).map(text), ...cells]);
        };
        for (const resource of found) row(text(resource.uri), ...fields(resource));
        for (const template of templates) row(text(template.uriTemplate), ...fields(template), 'template');
      } else {
        const counts = [counted(found.length, 'resource'), counted(templates.length, 'template')];
        terminal.line(headline(server, session, counts, terminal));
        const { paint } = terminal;
        const rowsOf = (entries: readonly Entry[], address: string) =>
          entries.map(({ [address]: uri, title, name, mimeType, description }) => ({
            cells: [text(uri), [title ?? name, mimeType].map(text).filter(Boolean).join(', ')],
            below: description === undefined ? [] : [{ text: text(description), paint: paint.dim }],
          }));
        for (const rows of [rowsOf(found, 'uri'), rowsOf(templates, 'uriTemplate')]) {
          if (rows.length === 0) continue;
          terminal.line();
          printTable(rows, [{ atMost: 0.5, paint: paint.cyan }], terminal);
        }
      }
      return exitCodes.success;
    });
  },
});

type Entry = Readonly<Record<string, unknown>>;

/** A field that is not a string is shown as JSON. */
function text(value: unknown): string {
  return value === undefined ? '' : typeof value === 'string' ? value : jsonText(value);
}

export const read = command({
  operands: [{ form: 'URI', needed: 'the address of a resource' }],
  about: `Shows a resource: texts as they are, images and other files as their type and size, unless they are saved.`,
  options: { ...serverOptions, ...saveOption, json: flag('print the contents as JSON') },
  examples: ['read file:///notes/today.md --config mcp.json --server notes'],
  async run(given, context) {
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
        if (!printBlocks(blocks, terminal, folder)) return exitCodes.usage;
      }
      return exitCodes.success;
    });
  },
});
