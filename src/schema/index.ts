export { defaultBudget, type Budget } from './evaluate/budget.js';
export { compileSchema, type CompiledSchema, type CompileOptions, rootOf } from './compile/compile.js';
export type { Diagnostic, DiagnosticCode, Dialect, SchemaNode } from './keywords/keyword.js';
export { findFormat } from './keywords/strings/formats.js';
export type { UndeterminedReason } from './keywords/verdict.js';
export {
  checkEvaluateOptions,
  evaluate,
  evaluateCounting,
  type EvaluateOptions,
  type Evaluation,
} from './evaluate/evaluate.js';
export { type Refusal, Refusals } from './evaluate/refusals.js';
export { argumentNames, typesOfValues, valuesOf } from './reading/declarations.js';
export { type Reading, type SchemaView, startReading, viewOf } from './reading/view.js';
export { describeViolations, summaryLines, violationLines } from './violations/describe.js';
export type { Expectation } from './violations/expectation.js';
export { summarizedViolations } from './violations/summary.js';
export type { Received } from './violations/messages.js';
export {
  notFinite,
  place,
  schemaWanted,
  typesWanted,
  type Violation,
  withExpectation,
  withReceived,
} from './violations/violation.js';
