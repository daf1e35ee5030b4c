/** Both nodes of a process share this module, and with it one pool of sessions (connection/session.ts). */
export { testHttpCredential, testStdioCredential } from './connection/credential-test.js';
export { listTools, searchPrompts, searchResources, searchTools } from './editor/pickers.js';
export { executeOperations } from './McpVerbatim/execute.js';
export { jsonField, toolDescription, toolFields } from './McpVerbatim/form.js';
export { toolHelp, toolNotice } from './McpVerbatim/notices.js';
export { executeCalls } from './McpVerbatimTool/calls.js';
export { approvalChoices } from './McpVerbatimTool/exposed/approved.js';
export { includeChoices, toolsNotice } from './McpVerbatimTool/exposed/panel.js';
export { supplyTools } from './McpVerbatimTool/supply.js';
