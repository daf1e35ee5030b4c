/**
 * An MCP server in front of others: `mcp-verbatim serve`.
 *
 *     http/, stdio.ts    texts of clients in and out: sessions, streams, origins, tokens, sizes
 *     clients/           what a message means: the table of methods, the tools, questions and their answers
 *     principal.ts       the one for whom all of that is done; it owns everything below
 *     upstream/          its servers: a session of `src/mcp` each, opened when needed
 *
 * Everybody who has the token is one user. A session of a client with a handshake is a principal; clients of 2026-07-28,
 * which have no sessions, are one together.
 * No map holds what belongs to two principals, so nothing can be looked up across them.
 */
export { endGroupsWithHost } from '../mcp/node.js';
export { serveHttp, type HttpOptions } from './http/http.js';
export { isLoopback } from './http/access.js';
export { type Log, logLine } from './log.js';
export { dryRun } from './operator.js';
export { serveStdio } from './stdio.js';
export type { ServeOptions } from './principal.js';
export type { NamedServer } from './upstream/upstream.js';
