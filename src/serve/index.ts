/** An MCP server that stands in front of others: `mcp-verbatim serve`. */
export type { NamedServer } from './behind/server-behind.js';
export { serveHttp } from './front/http.js';
export { isLoopback } from './front/http-guard.js';
export { serveStdio } from './front/stdio.js';
export { Hub, type HubOptions } from './hub.js';
