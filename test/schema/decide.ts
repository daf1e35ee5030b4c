import { compileSchema, type CompileOptions } from '../../src/schema/compile/compile.js';
import { evaluate, type EvaluateOptions, type Evaluation } from '../../src/schema/evaluate/evaluate.js';
import { violationLines } from '../../src/schema/violations/describe.js';
import type { Violation } from '../../src/schema/violations/violation.js';
import { evaluateCounting } from '../../test-support/counted.js';

/** Compiles and evaluates. */
export function decide(schema: unknown, instance: unknown, options: EvaluateOptions & CompileOptions = {}): Evaluation {
  const { documents, defaultDialect, ...evaluating } = options;
  return evaluate(
    compileSchema(schema, { ...(documents && { documents }), ...(defaultDialect && { defaultDialect }) }),
    instance,
    evaluating,
  );
}

/** The outcome: 'valid', 'invalid', or the reason why it is undetermined. */
export function outcome(schema: unknown, instance: unknown, options?: EvaluateOptions & CompileOptions): string {
  const evaluation = decide(schema, instance, options);
  return evaluation.outcome === 'undetermined' ? evaluation.reason : evaluation.outcome;
}

/** The violations; none unless the arguments are invalid. */
export function violations(schema: unknown, instance: unknown, options?: EvaluateOptions): Violation[] {
  const evaluation = decide(schema, instance, options);
  return evaluation.outcome === 'invalid' ? evaluation.violations : [];
}

/** The lines that a model reads, without the name of the root. */
export function linesFor(schema: unknown, instance: unknown, options?: EvaluateOptions): string[] {
  return violationLines(violations(schema, instance, options))
    .join('\n')
    .replaceAll('(root): ', '')
    .split('\n');
}

/** The number of steps of an evaluation, which no slow machine cuts short. */
export function stepsOf(schema: unknown, instance: unknown, options: EvaluateOptions = {}): number {
  const budget = { ms: 1e9, ...options.budget };
  return evaluateCounting(compileSchema(schema), instance, { ...options, budget }).steps;
}

/** The diagnostics of a schema: codes with locations. */
export function diagnosed(schema: unknown, options?: CompileOptions): string[] {
  return compileSchema(schema, options).diagnostics.map(({ code, schemaLocation }) => `${code} ${schemaLocation}`);
}
