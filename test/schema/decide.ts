import { compileSchema, type CompileOptions } from '../../src/schema/compile/compile.js';
import { evaluate, type EvaluateOptions, type Evaluation } from '../../src/schema/evaluate/evaluate.js';
import type { Violation } from '../../src/schema/violations/violation.js';

/** Compiles and evaluates in one go. */
export function decide(schema: unknown, instance: unknown, options: EvaluateOptions & CompileOptions = {}): Evaluation {
  const { documents, defaultDialect, ...evaluating } = options;
  return evaluate(
    compileSchema(schema, { ...(documents && { documents }), ...(defaultDialect && { defaultDialect }) }),
    instance,
    evaluating,
  );
}

/** The outcome alone: 'valid', 'invalid', or why it is undetermined. */
export function outcome(schema: unknown, instance: unknown, options?: EvaluateOptions & CompileOptions): string {
  const evaluation = decide(schema, instance, options);
  return evaluation.outcome === 'undetermined' ? evaluation.reason : evaluation.outcome;
}

/** The violations; none where there is no refusal. */
export function violations(schema: unknown, instance: unknown, options?: EvaluateOptions): Violation[] {
  const evaluation = decide(schema, instance, options);
  return evaluation.outcome === 'invalid' ? evaluation.violations : [];
}
