/** The tools of some servers for a model: policy, names, search, and the only way from a list to a sent call. */
export type { Admission, AdmittedTool, Governed } from './admission.js';
export { isSelected, namingOptions, type ToolFilter, type ToolPolicy, type ToolSelection } from './policy.js';
export * from './over-session.js';
export * from './tool-set.js';
export type { ExposedTool, ListedServer, ToolView, ViewOptions } from './view.js';
export * from './search/tool-search.js';
export { noticeTool, type NoticeTool } from './search/own-tools.js';
