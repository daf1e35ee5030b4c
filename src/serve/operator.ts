import { version } from '../../package.json';
import { McpError } from '../internal.js';
import { messageOf } from '../json/index.js';
import { handshakeRevisions, statelessRevision } from '../mcp/index.js';
import { toolsOf } from './clients/tools.js';
import { withSafeLog } from './log.js';
import { type ServeOptions, statelessIdentity } from './principal.js';
import { Group, problemOf } from './upstream/group.js';

// An operator's view of the servers besides the log: a trial, a dry run, their health.

/** The servers without a client. */
export function trialOf(options: ServeOptions): Group {
  return new Group(options.servers, { identity: statelessIdentity }, options);
}

/**
 * Opens the servers once, so that the log names their problems before the first client comes.
 *
 * @throws McpError if nothing can ever be served: no program starts, or an option names an unknown tool
 */
export async function tryOut(group: Group, options: ServeOptions): Promise<void> {
  const { upstreams } = group;
  try {
    await toolsOf(group, options).list();
  } catch (error) {
    const isFinal =
      (error instanceof McpError && error.code === 'UNKNOWN_TOOL') ||
      upstreams.every(({ address, state }) => address.transport === 'stdio' && state === 'failed');
    if (isFinal) throw error;
    if (upstreams.some(({ state }) => state === 'open')) options.log(messageOf(error));
  } finally {
    await group.close();
  }
}

/** Connects, and returns the tools that would be exposed: name, server, own name. @throws McpError if no server can be reached */
export async function dryRun(options: ServeOptions): Promise<{ rows: readonly string[][]; isWhole: boolean }> {
  const safe = withSafeLog(options);
  const group = trialOf(safe);
  try {
    await toolsOf(group, safe).list();
    const { sent, find, servers } = group.tools.view();
    const rows = sent.map(({ name, tool }) => [name, find(name)?.server.name ?? '', tool.name]);
    return { rows, isWhole: servers.every((each) => each.server.isOpen && problemOf(each) === undefined) };
  } finally {
    await group.close();
  }
}

const states = ['open', 'starting', 'failed', 'closed'] as const;

/** The JSON of `/health` for operators with the token. A server's state is the best one of all sessions. */
export function healthOf(status: string, sessions: number, groups: readonly Group[]): object {
  const upstreams = groups[0]?.upstreams ?? [];
  const servers = upstreams.map(({ name }, index) => {
    const all = groups.flatMap((group) => group.upstreams[index] ?? []);
    const { serverInfo } = all.find(({ handshake }) => handshake)?.handshake ?? {};
    return {
      name,
      version: serverInfo?.['version'],
      state: states.find((state) => all.some((upstream) => upstream.state === state)),
      open: all.filter(({ isOpen }) => isOpen).length,
    };
  });
  const revisions = [statelessRevision, ...handshakeRevisions];
  return { status, version, node: process.version, revisions, sessions, servers };
}
