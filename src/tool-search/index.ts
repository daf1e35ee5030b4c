/** Tool search: what a model is sent in place of many tools. */
export {
  type ToolSearch,
  type ToolSearchAnswer,
  type ToolSearchMode,
  type StartToolSearchOptions,
  manyTokens,
  startToolSearch,
  toolTokens,
} from './tool-search.js';
export { noticeTool, type NoticeTool } from './notice-tool.js';
