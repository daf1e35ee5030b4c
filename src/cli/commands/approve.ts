import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { approvedFileText, type ApprovedTools, approveTools, type Catalogue, invisibleIn } from '../../internal.js';
import { counted } from '../../json/index.js';
import { command, exitCodes, flag, serverOptions, text, usualFile } from '../command.js';
import { withFile } from '../files.js';
import { approvedIn, approvedName, differenceLines, differencesFrom, readApprovedAt } from '../servers/approved.js';
import { eachServer } from '../servers/sessions.js';
import { printReport } from '../terminal/terminal.js';

const file = text('FILE', `the file of approved tools; default ${usualFile}`);

export const approve = command({
  about:
    "Approves the tools of the server as they are now: writes each tool definition, its hash, the server's instructions and its address to a file, without secrets. Shows what changed since the last approval. Other servers in the file stay as they are.",
  options: { ...serverOptions, file },
  examples: ['approve -- npx -y @modelcontextprotocol/server-everything', 'approve --config mcp.json --server github'],
  async run(given, context) {
    const { terminal, cwd, signal } = context;
    const path = resolve(cwd, given.file ?? usualFile);
    const before = existsSync(path) ? Object.entries(readApprovedAt(path).servers) : [];
    const servers = new Map<string, ApprovedTools>(before);
    const found: { name: string; approved: ApprovedTools; lines: string[] }[] = [];
    const code = await eachServer(given, context, async ({ server, session, index }) => {
      const catalogue = await session.listTools({ signal });
      const name = approvedName(server);
      const differences = differencesFrom(servers.get(name), catalogue, server);
      const changes = [...differences.flatMap(differenceLines), ...invisible(catalogue)].map((line) => `  ${line}`);
      const lines = [`${terminal.paint.bold(name)} ${counted(catalogue.tools.length, 'tool')} approved`, ...changes];
      found[index] = { name, approved: approveTools(catalogue, server.address), lines };
      return exitCodes.success;
    });
    if (found.length === 0) return code;
    const all = Object.values(found); // those that failed leave holes
    for (const { name, approved } of all) servers.set(name, approved);
    withFile(path, 'written', () => writeFileSync(path, approvedFileText(Object.fromEntries(servers))));
    for (const line of all.flatMap(({ lines }) => lines)) terminal.line(line);
    terminal.note(`${path} is written.`);
    return code;
  },
});

function invisible({ instructions = '', serverInfo = {}, tools }: Catalogue): string[] {
  return [
    ...invisibleIn({ instructions, serverInfo }).map(({ message }) => message),
    ...tools.flatMap(({ name, definition }) => invisibleIn(definition).map(({ message }) => `${name}: ${message}`)),
  ];
}

export const diff = command({
  about:
    'Shows what differs from the approved tools: tools that are new, gone, renamed or changed, with each change, and whether it is another server. Exits with 1 if anything differs.',
  options: { ...serverOptions, file, json: flag('print the differences as JSON') },
  examples: ['diff --config mcp.json'],
  async run(given, context) {
    const { cwd, signal } = context;
    const approvedOf = approvedIn(given.file ?? usualFile, cwd);
    return eachServer(given, context, async ({ server, session, terminal }) => {
      const differences = differencesFrom(approvedOf(server), await session.listTools({ signal }), server);
      if (given.json) printReport({ server: approvedName(server), differences }, terminal);
      else {
        const count = differences.length === 0 ? 'as approved' : counted(differences.length, 'difference');
        terminal.line(`${terminal.paint.bold(approvedName(server))} ${count}`);
        for (const line of differences.flatMap(differenceLines)) terminal.line(`  ${line}`);
      }
      return differences.length === 0 ? exitCodes.success : exitCodes.problem;
    });
  },
});
