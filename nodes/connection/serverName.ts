import type { Session } from '../../src/index.js';

/** What the server calls itself: `everything 1.2`. */
export function serverName({ serverInfo }: Pick<Session, 'serverInfo'>): string {
  return serverInfo === undefined ? 'the server' : `${serverInfo.title || serverInfo.name} ${serverInfo.version}`.trim();
}
