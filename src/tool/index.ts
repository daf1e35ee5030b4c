/** One callable tool: repaired, checked, called, and its name and result for a model. */
export * from './call.js';
export { checkArguments, type CheckedArguments, type CheckedTool, type ToolOptions } from './check.js';
export * from './exposed-tool.js';
export type { FixedArguments } from './fixed-arguments.js';
export { FixedArgumentsError, fixedForTool, refuseUndeclared, schemaWithout } from './fixed-arguments.js';
export * from './invalid-arguments.js';
export * from './model-tools.js';
export * from './sent-names.js';
export * from './result-text.js';
export * from './shortened-result.js';
export * from './undeclared.js';
export * from './shortened-answer.js';
