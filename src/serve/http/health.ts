import { version } from '../../../package.json';
import { handshakeRevisions, statelessRevision } from '../../mcp/index.js';
import type { Group } from '../upstream/group.js';

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
