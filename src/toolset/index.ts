/** The tools of some servers for a model: policy, names, search, and the only way from a list to a sent call. */
export type { Admission, AdmittedTool, Governed } from './admission.js';
export type { ToolPolicy } from './policy.js';
export { isSelected, type ToolFilter, type ToolSelection } from './selection.js';
export { callOverSession, overSession } from './over-session.js';
export { ToolSet } from './tool-set.js';
export type { CallSettings, ListOptions, Route, ToolServer } from './tool-set.js';
export type { ExposedTool, ListedServer, ToolView, ViewOptions } from './view.js';
export { manyTokens, startToolSearch, toolTokens } from './search/tool-search.js';
export type { StartToolSearchOptions, ToolSearch, ToolSearchAnswer, ToolSearchMode } from './search/tool-search.js';
export { noticeTool, type NoticeTool } from './search/notice-tool.js';
