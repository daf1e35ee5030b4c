import type { CatalogueTool, Session } from '../mcp/index.js';
import type { ToolOutcome } from '../tool/index.js';
import { toolSet, type CallSettings, type ToolServer } from './tool-set.js';

/** How a session is listed, and sends a call. */
export const overSession: Pick<ToolServer<Session, unknown>, 'list' | 'send'> = {
  list(session, { isFresh, ...options }) {
    if (isFresh) session.forgetTools();
    return session.listTools(options);
  },
  send: (session, tool, args, options) => session.callTool(tool, args, options),
};

/** Calls a tool over an open session, as a tool set does, for a host that has no policy. */
export async function callOverSession(
  session: Session,
  tool: CatalogueTool,
  args: unknown,
  settings: CallSettings,
): Promise<ToolOutcome> {
  const server: ToolServer<Session, undefined> = {
    name: '',
    policy: {},
    use: (work) => work(session),
    ...overSession,
  };
  return toolSet<Session, undefined>([server]).call(server, tool, args, settings, undefined);
}
