import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { compareApproved, invisibleIn, approveTools } from '../../internal.js';
import type { Catalogue, ApprovedTools } from '../../internal.js';
import { counted } from '../../json/index.js';
import type { DiffGiven, ApproveGiven } from '../usage/approve.js';
import { usualFile } from '../usage/server.js';
import { differenceLines, approvedName, approvedFor, readApprovedAt, writeApprovedAt } from '../check/approved.js';
import type { Context } from '../context.js';
import { exitCodes } from '../exit.js';
import { eachServer } from '../servers/sessions.js';
import { printReport } from '../terminal/json.js';

/** Approves what servers offer now: writes it to a file, in which other servers stay as they are. */
export async function approve(given: ApproveGiven, context: Context): Promise<number> {
  const { terminal, cwd, signal } = context;
  const path = resolve(cwd, given.file ?? usualFile);
  const servers = new Map<string, ApprovedTools>(existsSync(path) ? Object.entries(readApprovedAt(path).servers) : []);
  const lines: string[] = [];
  const code = await eachServer(given, context, async (server, session) => {
    const catalogue = await session.listTools({ signal });
    const name = approvedName(server);
    const before = servers.get(name);
    const differences = before ? compareApproved(before, catalogue, server.address) : [];
    servers.set(name, approveTools(catalogue, server.address));
    lines.push(`${terminal.paint.bold(name)} ${counted(catalogue.tools.length, 'tool')} approved`);
    lines.push(...[...differences.flatMap(differenceLines), ...unseen(catalogue)].map((line) => `  ${line}`));
    return exitCodes.success;
  });
  if (lines.length === 0) return code;
  writeApprovedAt(path, Object.fromEntries(servers));
  for (const line of lines) terminal.line(line);
  terminal.note(`${path} is written.`);
  return code;
}

/** What whoever approves does not see. */
function unseen({ instructions = '', serverInfo = {}, tools }: Catalogue): string[] {
  return [
    ...invisibleIn({ instructions, serverInfo }).map(({ message }) => message),
    ...tools.flatMap(({ name, definition }) => invisibleIn(definition).map(({ message }) => `${name}: ${message}`)),
  ];
}

/** What servers offer differently from what was approved; exit code 1 where there is anything. */
export function diff(given: DiffGiven, context: Context): Promise<number> {
  const { terminal, cwd, signal } = context;
  const path = resolve(cwd, given.file ?? usualFile);
  const file = readApprovedAt(path);
  return eachServer(given, context, async (server, session) => {
    const approved = approvedFor(file, path, server);
    const differences = compareApproved(approved, await session.listTools({ signal }), server.address);
    if (given.json) printReport({ server: approvedName(server), differences }, terminal);
    else {
      const count = differences.length === 0 ? 'as approved' : counted(differences.length, 'difference');
      terminal.line(`${terminal.paint.bold(approvedName(server))} ${count}`);
      for (const line of differences.flatMap(differenceLines)) terminal.line(`  ${line}`);
    }
    return differences.length === 0 ? exitCodes.success : exitCodes.problem;
  });
}
