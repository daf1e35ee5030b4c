/** The exports of all layers, for the hosts of this tree. */
export * from './approval/index.js';
export * from './toolset/index.js';
export * from './mcp/index.js';
export * from './programs/index.js';
export * from './projections/index.js';
export * from './repair/index.js';
export * from './rules/index.js';
export * from './schema/index.js';
export * from './tool/index.js';
export { argumentsFromText, ConfigurationError } from './json/index.js';
export type { JsonType } from './json/index.js';
