/** Everything that n8n calls. Both nodes share this module, and with it one pool of sessions (connection/session.ts). */
export * from './connection/credential-test.js';
export * from './editor/pickers.js';
export * from './McpVerbatim/execute.js';
export * from './McpVerbatim/form.js';
export * from './McpVerbatim/notices.js';
export * from './McpVerbatimTool/calls.js';
export * from './McpVerbatimTool/exposed/approved.js';
export * from './McpVerbatimTool/exposed/panel.js';
export * from './McpVerbatimTool/supply.js';
