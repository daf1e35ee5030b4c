import type { Session } from '../../index.js';
import type { Terminal } from '../terminal/terminal.js';
import { cut, oneLine } from '../terminal/text.js';
import type { NamedServer } from './choose.js';

/** "everything 1.2.0 · 13 tools · MCP 2025-11-25". */
export function headline(
  server: NamedServer,
  session: Session,
  counts: readonly string[],
  { paint, columns = 80 }: Terminal,
): string {
  const info = session.serverInfo;
  const name = oneLine(server.name ?? info?.title ?? info?.name ?? 'server');
  const version = info?.version === undefined ? [] : [oneLine(info.version)];
  const about = [...version, ...counts, `MCP ${session.protocolVersion}`].join(' · ');
  return `${paint.bold(cut(name, Math.max(10, columns - about.length - 3)))} ${paint.dim(about)}`;
}
