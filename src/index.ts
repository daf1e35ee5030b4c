/**
 * MCP Verbatim: tools of MCP servers with their schemas as the servers wrote them, checked when they are called.
 *
 * @packageDocumentation
 */
export * from './internal.js';
