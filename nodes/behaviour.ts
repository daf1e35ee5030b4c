/** Both nodes of a process share this module, and with it one pool of sessions (connection/session.ts). */
export * from './connection/credential-test.js';
export * from './editor/pickers.js';
export * from './McpVerbatim/execute.js';
export { jsonField, toolDescription, toolFields } from './McpVerbatim/form.js';
export * from './McpVerbatim/notices.js';
export { executeCalls } from './McpVerbatimTool/calls.js';
export { approvalChoices } from './McpVerbatimTool/exposed/approved.js';
export * from './McpVerbatimTool/exposed/panel.js';
export { supplyTools } from './McpVerbatimTool/supply.js';
