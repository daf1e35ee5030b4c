import { absentNames, onlyApproved, decline, McpError } from '../internal.js';
import type { Catalogue, CatalogueTool, ConnectOptions, Session, ToolFilter } from '../internal.js';
import { didYouMean, isObject, quote } from '../json/index.js';
import { isByInterrupt } from './call/by-interrupt.js';
import { outputPlaces } from './call/output-handling.js';
import type { McpToolsOptions, ServerOptions } from './options.js';
import { McpServersError } from './report.js';
import type { Asked } from './report.js';
import { borrowed, connectionTo, isSession } from './servers.js';
import type { Connection, Server } from './servers.js';

/** A server, and what it was last heard to have. */
export interface ServerTools extends Asked {
  /** Whether the configuration gives it its name. */
  readonly isNamed: boolean;
  readonly connection: Connection;
  tools: readonly CatalogueTool[];
  /** What holds for it alone. */
  readonly own: ServerOptions;
  /** What holds for its tools: its own options before those for all. */
  readonly options: McpToolsOptions;
  readonly at: Server['at'];
}

/**
 * Connects to a server and lists its tools; one that fails is one without tools.
 *
 * @param onChanged called when the server says that its list has changed
 */
export async function toolsOfServer(
  { name, at, options: own, toolTimeoutMs }: Server,
  all: McpToolsOptions,
  onChanged: () => void,
): Promise<ServerTools> {
  const options: McpToolsOptions = {
    ...all,
    ...own,
    idleTimeoutMs: own.idleTimeoutMs ?? toolTimeoutMs ?? all.idleTimeoutMs,
    outputHandling: outputPlaces(all.outputHandling, own.outputHandling),
  };
  const called = { name: name ?? 'mcp' };
  const connecting = connectOptions({ ...all, ...own }, called);
  const onSession = (session: Session) => hearChanges(session, onChanged);
  const connection = isSession(at) ? borrowed(at, connecting, onSession) : connectionTo(at, connecting, onSession);
  const server: ServerTools = {
    isNamed: name !== undefined,
    name: called.name,
    connection,
    own,
    options,
    at,
    tools: [],
    skipped: [],
    differences: [],
  };
  try {
    const session = await connection.session();
    server.name = called.name = name ?? session.serverInfo?.name ?? called.name;
    take(server, await session.listTools({ signal: options.signal }));
  } catch (error) {
    await connection.close();
    server.error = error;
  }
  return server;
}

/** Lists the tools of a server again; its session asks anew where they changed. */
export async function listTools(server: ServerTools): Promise<void> {
  if (server.error !== undefined) return;
  const session = await server.connection.session();
  take(server, await session.listTools());
}

function hearChanges(session: Session, onChanged: () => void): (() => void) | undefined {
  const { tools } = session.capabilities;
  // Of one that announces no changes, nothing has to be heard.
  if (!isObject(tools) || tools['listChanged'] !== true) return undefined;
  return session.onNotification((method) => {
    if (method === 'notifications/tools/list_changed') onChanged();
  });
}

/** Of a server that an approval does not have, nothing was approved. */
function take(server: ServerTools, listed: Catalogue): void {
  const { at, isNamed, name, options } = server;
  const { address } = isSession(at) ? at : { address: at };
  const { approved, whenChanged } = options;
  const { catalogue, differences } = approved
    ? onlyApproved(listed, approved, { name: isNamed ? name : undefined, address, whenChanged })
    : { catalogue: listed, differences: [] };
  const { tools, skipped, instructions, serverInfo } = catalogue;
  Object.assign(server, { tools, skipped, instructions, serverInfo, differences });
}

/** The signal is for connecting and listing only: the connection outlives it. */
function connectOptions(options: McpToolsOptions, server: { name: string }): ConnectOptions {
  const { signal, clientInfo, onNotification, idleTimeoutMs, elicit } = options;
  return {
    signal,
    clientInfo,
    idleTimeoutMs,
    // A run pauses in the middle of a call alone.
    elicit: isByInterrupt(elicit) ? decline : elicit,
    onNotification: onNotification && ((method, params) => onNotification(method, params, server.name)),
  };
}

/** @throws the error of a lone server; an McpServersError that has all of them, by name, otherwise; what a handler throws */
export function refuseFailures(servers: readonly ServerTools[], { onServerError }: McpToolsOptions): void {
  const down = servers.filter(({ error }) => error !== undefined);
  const [first] = down;
  if (!first || onServerError === 'report') return;
  if (typeof onServerError === 'function') {
    for (const { error, name } of down) onServerError(error, name);
    return;
  }
  if (onServerError !== 'throw' && down.length < servers.length) return;
  if (!first.isNamed) throw first.error;
  throw new McpServersError(Object.fromEntries(down.map(({ name, error }) => [name, error])));
}

/** @throws McpError naming a tool in an option that no server has; one that may be at a failed server is no mistake */
export function refuseUnknownNames(servers: readonly ServerTools[], options: McpToolsOptions): void {
  const { include, exclude, fixed = {}, always = [] } = options;
  for (const server of servers) {
    refuse('include', server.own.include, [server]);
    refuse('exclude', server.own.exclude, [server]);
    refuse('fixed', Object.keys(server.own.fixed ?? {}), [server]);
  }
  refuse('include', include, servers);
  refuse('exclude', exclude, servers);
  refuse('fixed', Object.keys(fixed), servers);
  refuse('always', always, servers);
}

function refuse(option: string, listed: ToolFilter | undefined, servers: readonly ServerTools[]): void {
  if (typeof listed !== 'object' || listed.length === 0 || servers.some(({ error }) => error !== undefined)) return;
  const [unknown] = absentNames(servers, listed);
  if (unknown === undefined) return;
  const names = servers.flatMap(({ tools }) => tools.map(({ name }) => name));
  const whose = servers.map(({ name }) => quote(name)).join(', ');
  throw new McpError(
    `"${option}" lists the tool ${quote(unknown)}, which ${whose} does not have.${didYouMean(unknown, names)}`,
    { code: 'INVALID_ADDRESS', hint: "Use the server's own tool names, without a prefix." },
  );
}
