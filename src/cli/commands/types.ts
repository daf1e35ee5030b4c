import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type CatalogueTool, definitionText, toolModule } from '../../internal.js';
import { canonicalText } from '../../json/index.js';
import { command, exitCodes, serverOptions, text } from '../command.js';
import { readText, withFile } from '../files.js';
import { chosenServer } from '../servers/choose.js';
import { withSession } from '../servers/sessions.js';

export const types = command({
  about:
    "Writes a TypeScript module with the types of the server's tools, and a callTool whose arguments the compiler checks. With --check it writes nothing, and exits with 1 if the tools no longer match the file.",
  options: {
    ...serverOptions,
    out: text('FILE', 'write the module to this file; default: standard output'),
    check: text('FILE', 'compare the tools with this file, which was written before'),
  },
  examples: [
    'types --out tools.ts --config mcp.json --server github',
    'types --check tools.ts --config mcp.json --server github',
  ],
  async run(given, context) {
    const { terminal, cwd, signal } = context;
    const { out, check } = given;
    const before = check === undefined ? undefined : readText(resolve(cwd, check));
    const server = await chosenServer(given, context);
    const { tools } = await withSession(server, given, context, (session) => session.listTools({ signal }));
    const mark = `Tools: ${hashOf(tools)}`;
    if (before !== undefined) {
      if (before.includes(mark)) return exitCodes.success;
      terminal.line(`${check} no longer matches the tools. Write it again: mcp-verbatim types --out ${check} …`);
      return exitCodes.problem;
    }
    const source = toolModule(tools, mark);
    if (out === undefined) terminal.data(source.trimEnd());
    else {
      withFile(out, 'written', () => writeFileSync(resolve(cwd, out), source));
      terminal.note(`${out} is written.`);
    }
    return exitCodes.success;
  },
});

/** The parts of the tools that the types are made from. A formatter may change the file, but not this. */
function hashOf(tools: readonly CatalogueTool[]): string {
  const parts = tools.map((tool) => {
    const { name, description = '', inputSchema } = tool;
    return canonicalText([name, description, inputSchema]) ?? definitionText(tool);
  });
  return `sha256-${createHash('sha256').update(parts.sort().join('\n')).digest('base64')}`;
}
