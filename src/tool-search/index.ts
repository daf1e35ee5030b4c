/** What a model is offered of a server's tools, where that is not simply all of them. */
export {
  type ToolSearch,
  type ToolSearchAnswer,
  type ToolSearchMode,
  type StartToolSearchOptions,
  manyTokens,
  startToolSearch,
} from './tool-search.js';
export { noticeTool, type NoticeTool } from './notice-tool.js';
export { toolTokens } from './tokens.js';
