/** What a model is offered of a server's tools, where that is not simply all of them. */
export {
  type Discovery,
  type DiscoveryAnswer,
  type DiscoveryMode,
  type DiscoveryOptions,
  manyTokens,
  startDiscovery,
} from './discovery.js';
export { noticeTool, type NoticeTool } from './notice-tool.js';
export { toldTokens } from './tokens.js';
