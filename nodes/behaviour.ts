/**
 * Everything that the nodes do. n8n loads the file of every node when it starts, which must cost next to nothing: so
 * those files hold a description, and import this one when a node is used for the first time. From here on the library
 * is imported as any other module.
 *
 * Both nodes of a process share this module, and with it one pool of sessions (connection/session.ts).
 */
export { testHttpCredential, testStdioCredential } from './connection/credential-test.js';
export { listTools, searchPrompts, searchResources, searchTools } from './connection/pickers.js';
export { executeOperations } from './McpVerbatim/execute.js';
export { promptNotice } from './McpVerbatim/prompt/about.js';
export { toolDescription, toolNotice } from './McpVerbatim/tool/about.js';
export { toolFields } from './McpVerbatim/tool/form.js';
export { jsonField } from './McpVerbatim/tool/json-arguments.js';
export { executeCalls } from './McpVerbatimTool/calls/execute.js';
export { approvalChoices } from './McpVerbatimTool/exposed/approved.js';
export { includeChoices, toolsNotice } from './McpVerbatimTool/exposed/panel.js';
export { supplyTools } from './McpVerbatimTool/supply/supply.js';
