import type { ServerAddress, Session } from '../index.js';

/** A server as people write it: an address of the library, or an entry of an `mcp.json`, which needs no `transport`. */
export type ServerEntry =
  | ServerAddress
  | { type?: string; command: string; args?: readonly string[]; env?: Record<string, string>; cwd?: string };

/** One server, one open session, or several of both by name. */
export type McpToolsSource = ServerEntry | Session | { mcpServers: Readonly<Record<string, ServerEntry | Session>> };

/** What `source` holds, by the name of the server. A lone server has the name that it gives itself, known once connected. */
export function readSource(source: McpToolsSource): { name?: string; server: ServerAddress | Session }[] {
  if ('mcpServers' in source) {
    return Object.entries(source.mcpServers).map(([name, entry]) => ({ name, server: toServer(entry) }));
  }
  return [{ server: toServer(source) }];
}

/** Sessions are opened by the library only, so having what the tools need of one is being one. */
export function isSession(server: ServerEntry | Session): server is Session {
  return 'callTool' in server && 'listTools' in server;
}

function toServer(entry: ServerEntry | Session): ServerAddress | Session {
  if (isSession(entry)) return entry;
  if (!('command' in entry)) {
    // `type` is what other clients' configuration files call the transport; `streamable-http` is its long name.
    const { type, ...address } = entry as typeof entry & { type?: unknown }; // not of the library's type, but of people's files
    return type === 'sse' ? { ...address, transport: 'sse' } : address;
  }
  const { command, args, env, cwd } = entry;
  return { transport: 'stdio', command, ...(args && { args }), ...(env && { env }), ...(cwd !== undefined && { cwd }) };
}
