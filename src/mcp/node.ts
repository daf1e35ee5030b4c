// For hosts that run in Node alone: the index is also read for runtimes without it.
export * from './http-client/proxy.js';
export { endGroupsWithHost } from './stdio/process-group.js';
