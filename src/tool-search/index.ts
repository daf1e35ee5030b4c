/** Tool search: what a model is sent in place of many tools. */
export type { ToolSearch, ToolSearchAnswer, ToolSearchMode, StartToolSearchOptions } from './tool-search.js';
export { manyTokens, startToolSearch, toolTokens } from './tool-search.js';
export { noticeTool, type NoticeTool } from './notice-tool.js';
