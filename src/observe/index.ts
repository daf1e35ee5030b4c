/**
 * A proxy between a framework and its model's provider that compares tools and checks calls: `mcp-verbatim observe`.
 */
export { Observation, type ObservedCall, type ObservedRequest, type ObservedTool } from './observation.js';
export { observe, type ObserveOptions } from './observe.js';
