/** One callable tool: repaired, checked, called, and its name and result for a model. */
export { callTool, InvalidResultError, messageForModel, type ToolOutcome, type TypedCallTool } from './call.js';
export { checkArguments, type CheckedArguments, type CheckedTool, type ToolOptions } from './check.js';
export { exposedTool } from './exposed-tool.js';
export type { FixedArguments } from './fixed-arguments.js';
export { FixedArgumentsError, fixedForTool, refuseUndeclared, schemaWithout } from './fixed-arguments.js';
export { InvalidArgumentsError, type InvalidArgumentsReport, type ReportedViolation } from './invalid-arguments.js';
export { distinctPrefixes, isReadOnly, modelTools, type ModelTool, type ModelToolsOptions } from './model-tools.js';
export { matchNames } from './sent-names.js';
export { resultParts, type ResultPart } from './result-parts.js';
export { blockBytes, resultText, saysTheSame, structuredText } from './result-text.js';
export { shortenedResult } from './shortened-result.js';
export { undeclaredMembers } from './undeclared.js';
export { leastResultLength, shortenedAnswer, shortenedAnswers } from './shortened-answer.js';
