import type { Session } from '../../src/index.js';

/** What the server calls itself: `everything 1.2`. */
export function serverName({ serverInfo }: Pick<Session, 'serverInfo'>): string {
  return `${serverInfo?.title || serverInfo?.name || 'the server'} ${serverInfo?.version ?? ''}`.trim();
}
