export { defaultBudget, type Budget } from './evaluate/budget.js';
export { dialects } from './dialects/index.js';
export { compileSchema, type CompiledSchema, type CompileOptions, rootOf } from './compile/compile.js';
export type { Diagnostic, DiagnosticCode, Dialect, SchemaNode } from './keywords/keyword.js';
export { findFormat } from './keywords/strings/formats.js';
export type { UndeterminedReason } from './keywords/verdict.js';
export type { EvaluateOptions, Evaluation } from './evaluate/evaluate.js';
export { checkEvaluateOptions, evaluate } from './evaluate/evaluate.js';
export { type Refusal, Refusals } from './evaluate/refusals.js';
export { argumentNames, declaredNames, typesOf, typesOfValues, valuesOf } from './reading/declarations.js';
export { applicableSchemas, mentionedNames, schemasAt } from './evaluate/applicable-schemas.js';
export { hintsOfSchema, type SchemaHints } from './evaluate/hints.js';
export { type Reading, type SchemaView, startReading, viewOf } from './reading/view.js';
export { isPhrase } from './violations/messages.js';
export { describeViolations, summaryLines, violationLines } from './violations/describe.js';
export type { Expectation, Property } from './violations/expectation.js';
export { unsettled } from './violations/settled.js';
export { summarizedViolations } from './violations/summary.js';
export type { Received } from './violations/context.js';
export type { Violation } from './violations/violation.js';
export { place } from './violations/place.js';
export {
  noteRefused,
  violationKey,
  notFinite,
  schemaWanted,
  typesWanted,
  withExpectation,
  withReceived,
} from './violations/violation.js';
