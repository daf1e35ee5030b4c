import { version } from '../../../package.json';
import { connect, type Elicit, type Session } from '../../internal.js';
import type { ServerChoice } from '../command.js';
import type { Context } from '../context.js';
import { explain } from '../exit.js';
import { cut, oneLine, printTable, type Row } from '../terminal/text.js';
import type { Terminal } from '../terminal/terminal.js';
import { chosenServers, type NamedServer } from './choose.js';

interface Visit {
  readonly server: NamedServer;
  readonly session: Session;
  readonly several: boolean;
  /** Its place among the servers. */
  readonly index: number;
  /** Text for stdout waits for its turn. */
  readonly terminal: Terminal;
}

/**
 * Runs all at once; their output to stdout is in the order of the configuration. A failed server does not stop the
 * others. @returns the highest exit code of all
 */
export async function eachServer(
  choice: ServerChoice,
  context: Context,
  work: (visit: Visit) => Promise<number>,
): Promise<number> {
  const { terminal, signal } = context;
  const servers = await chosenServers(choice, context);
  const several = servers.length > 1;
  const waiting = new Set(servers.map(({ name }) => name));
  const tellWaiting = () => {
    const text = cut(`waiting for ${[...waiting].join(', ')}`, (terminal.columns ?? 80) - 1);
    if (several) terminal.status(waiting.size > 0 ? terminal.paint.dim(text) : '');
  };
  const visited = servers.map((server, index) => {
    const own = heldBack(terminal);
    const turn = { server, several, index, terminal: own.terminal };
    const visit = async (): Promise<number> => {
      try {
        return await withSession(server, choice, context, (session) => work({ ...turn, session }));
      } catch (error) {
        if (signal.aborted) throw error;
        const { code, text } = await explain(error, terminal);
        terminal.error(server.name === undefined ? text : `${server.name}: ${text}`);
        return code;
      } finally {
        waiting.delete(server.name);
        tellWaiting();
      }
    };
    return { release: own.release, code: visit() };
  });
  // Each is awaited in its turn, and may have failed long before.
  for (const { code } of visited) code.catch(() => undefined);
  const codes: number[] = [];
  for (const [index, { release, code }] of visited.entries()) {
    if (index > 0 && terminal.columns !== undefined) terminal.line();
    release();
    tellWaiting();
    codes.push(await code);
  }
  return Math.max(...codes);
}

/** A terminal whose results are kept until they are released; from then on they are written as they come. */
function heldBack(terminal: Terminal): { terminal: Terminal; release: () => void } {
  let held: (() => void)[] | undefined = [];
  const later =
    <Args extends unknown[]>(write: (...args: Args) => void) =>
    (...args: Args) => {
      if (held) held.push(() => write(...args));
      else write(...args);
    };
  const { line, row, data } = terminal;
  const release = () => {
    const kept = held ?? [];
    held = undefined;
    for (const write of kept) write();
  };
  return { terminal: { ...terminal, line: later(line), row: later(row), data: later(data) }, release };
}

export async function withSession<Result>(
  { address, idleTimeoutMs: usual }: NamedServer,
  { 'idle-timeout': idleTimeoutMs = usual }: Pick<ServerChoice, 'idle-timeout'>,
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
export function headline({ server, session, terminal }: Visit, counts: readonly string[]): string {
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
  firstColumn = 0.35,
): void {
  const { terminal } = visit;
  if (terminal.columns === undefined) {
    const owner = visit.several ? [visit.server.name ?? ''] : [];
    for (const { fields } of tables.flat()) terminal.row([...owner, ...fields]);
    return;
  }
  terminal.line(headline(visit, counts));
  for (const rows of tables) {
    if (rows.length === 0) continue;
    terminal.line();
    printTable(rows, [{ atMost: firstColumn, paint: terminal.paint.cyan }], terminal);
  }
}
