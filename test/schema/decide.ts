import {
  compileSchema,
  type CompileOptions,
  evaluate,
  type EvaluateOptions,
  type Evaluation,
  type Violation,
} from '../../src/schema/index.js';

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
