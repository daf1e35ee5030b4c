import { counted, type JsonObject, jsonText } from '../../json/index.js';
import { command, exitCodes, flag, saveOption, serverOptions } from '../command.js';
import { chosenServer } from '../servers/choose.js';
import { eachServer, type Listed, printListing, withSession } from '../servers/sessions.js';
import { printReport } from '../terminal/terminal.js';
import { folderFor, printBlocks } from '../terminal/result.js';

export const resources = command({
  about:
    "Lists the resources of the server (address, name, type, description), then the templates of addresses (RFC 6570), which read takes with their variables filled in. In a pipe it prints one line for each, its fields separated by tabs, with the word template at the end of a template; with several servers the server's name comes first.",
  options: { ...serverOptions, json: flag('print the resources and templates as JSON') },
  examples: ['resources -- npx -y @modelcontextprotocol/server-everything'],
  async run({ json, ...given }, context) {
    const { terminal, signal } = context;
    const listed = (address: unknown, entry: JsonObject, ...more: readonly string[]): Listed => {
      const { title, name, mimeType, description } = entry;
      return {
        fields: [...[address, name, mimeType, description].map(text), ...more],
        cells: [text(address), [title ?? name, mimeType].map(text).filter(Boolean).join(', ')],
        below: [{ text: text(description), paint: terminal.paint.dim }],
      };
    };
    return eachServer(given, context, async (visit) => {
      const { server, session, several, terminal } = visit;
      const found = await session.listResources({ signal });
      const templates = await session.listResourceTemplates({ signal });
      const counts = [counted(found.length, 'resource'), counted(templates.length, 'template')];
      const rows = [
        found.map((resource) => listed(resource.uri, resource)),
        templates.map((template) => listed(template.uriTemplate, template, 'template')),
      ];
      const named = several ? { server: server.name } : {};
      if (json) printReport({ ...named, resources: found, resourceTemplates: templates }, terminal);
      else printListing(rows, counts, visit, 0.5);
      return exitCodes.success;
    });
  },
});

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
