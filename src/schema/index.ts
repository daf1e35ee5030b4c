export { dialects } from './dialects/index.js';
export * from './compile/compile.js';
export type { Diagnostic, DiagnosticCode, Dialect, SchemaNode } from './keywords/keyword.js';
export { findFormat } from './keywords/strings/format.js';
export type { UndeterminedReason } from './keywords/verdict.js';
export * from './evaluate/evaluate.js';
export { type Budget, defaultBudget } from './evaluate/budget.js';
export * from './evaluate/refusals.js';
export { argumentNames, declaredNames, startReading, typesOf, typesOfValues, valuesOf, viewOf } from './reading.js';
export type { Reading, SchemaView } from './reading.js';
export { applicableSchemas, mentionedNames, schemasAt } from './evaluate/applicable-schemas.js';
export { hintsOfSchema, type SchemaHints } from './evaluate/hints.js';
export { isPhrase, place } from './violations/messages.js';
export * from './violations/describe.js';
export * from './violations/expectation.js';
export { unsettled } from './violations/settled.js';
export * from './violations/summary.js';
export type { Received } from './violations/context.js';
export type { Violation } from './violations/violation.js';
export {
  noteRefused,
  violationKey,
  notFinite,
  schemaWanted,
  typesWanted,
  withExpectation,
  withReceived,
} from './violations/violation.js';
