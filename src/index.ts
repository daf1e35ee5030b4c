/**
 * MCP Verbatim: tools of MCP servers with their schemas as the servers wrote them, checked when they are called.
 *
 * @packageDocumentation
 */
export * from './schema/index.js';
export * from './repair/index.js';
export * from './mcp/index.js';
export * from './tool/index.js';
export * from './standard/index.js';
