import { version } from '../../../package.json';
import { connect, type Elicit, type Session } from '../../internal.js';
import type { ServerChoice } from '../server-options.js';
import type { Context } from '../context.js';
import { exitCodes, explain } from '../exit.js';
import { printTable, type Row } from '../terminal/table.js';
import type { Terminal } from '../terminal/terminal.js';
import { cut, oneLine } from '../terminal/text.js';
import { chosenServers, type NamedServer } from './choose.js';

interface Visit {
  readonly server: NamedServer;
  readonly session: Session;
  readonly several: boolean;
}

/** A server that fails does not keep the others from their turn. @returns the highest exit code of all */
export async function eachServer(
  choice: ServerChoice,
  context: Context,
  work: (visit: Visit) => Promise<number>,
): Promise<number> {
  const { terminal, signal } = context;
  const servers = await chosenServers(choice, context);
  const several = servers.length > 1;
  let highest: number = exitCodes.success;
  for (const [index, server] of servers.entries()) {
    if (index > 0 && terminal.columns !== undefined) terminal.line();
    try {
      const code = await withSession(server, choice, context, (session) => work({ server, session, several }));
      highest = Math.max(highest, code);
    } catch (error) {
      if (signal.aborted) throw error;
      const { code, text } = await explain(error, terminal);
      terminal.error(server.name === undefined ? text : `${server.name}: ${text}`);
      highest = Math.max(highest, code);
    }
  }
  return highest;
}

export async function withSession<Result>(
  { address }: NamedServer,
  { 'idle-timeout': idleTimeoutMs }: Pick<ServerChoice, 'idle-timeout'>,
  { signal, terminal }: Context,
  work: (session: Session) => Promise<Result>,
  elicit?: Elicit,
): Promise<Result> {
  terminal.status(terminal.paint.dim('connecting …'));
  const options = { signal, elicit, clientInfo: { name: 'mcp-verbatim', version }, idleTimeoutMs };
  const session = await connect(address, options).finally(() => terminal.status(''));
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

/** "everything 1.2.0 · 13 tools · MCP 2025-11-25". */
export function headline({ server, session }: Visit, counts: readonly string[], terminal: Terminal): string {
  const { paint, columns = 80 } = terminal;
  const info = session.serverInfo;
  const name = oneLine(server.name ?? info?.title ?? info?.name ?? 'server');
  const version = info?.version === undefined ? [] : [oneLine(info.version)];
  const about = [...version, ...counts, `MCP ${session.protocolVersion}`].join(' · ');
  return `${paint.bold(cut(name, Math.max(10, columns - about.length - 3)))} ${paint.dim(about)}`;
}

export interface Listed extends Row {
  readonly fields: readonly string[];
}

export function printListing(
  tables: readonly (readonly Listed[])[],
  counts: readonly string[],
  visit: Visit,
  terminal: Terminal,
  firstColumn = 0.35,
): void {
  if (terminal.columns === undefined) {
    const owner = visit.several ? [visit.server.name ?? ''] : [];
    for (const { fields } of tables.flat()) terminal.row([...owner, ...fields]);
    return;
  }
  terminal.line(headline(visit, counts, terminal));
  for (const rows of tables) {
    if (rows.length === 0) continue;
    terminal.line();
    printTable(rows, [{ atMost: firstColumn, paint: terminal.paint.cyan }], terminal);
  }
}
