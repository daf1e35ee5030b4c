import { type CompiledSchema, rootOf } from '../src/schema/compile/compile.js';
import { evaluate, type EvaluateOptions, type Evaluation } from '../src/schema/evaluate/evaluate.js';
import { EvaluationPass } from '../src/schema/evaluate/pass.js';

/** Evaluates and counts the steps: tests assert budgets in steps, not in seconds. */
export function evaluateCounting(
  compiled: CompiledSchema,
  instance: unknown,
  options: EvaluateOptions = {},
): { evaluation: Evaluation; steps: number } {
  const root = rootOf(compiled);
  const passes = new Set<EvaluationPass>();
  const apply = Reflect.get(EvaluationPass.prototype, 'apply'); // called with the pass as `this`
  EvaluationPass.prototype.apply = function (node, ...others) {
    if (node === root) passes.add(this);
    return apply.call(this, node, ...others);
  };
  try {
    const evaluation = evaluate(compiled, instance, options);
    return { evaluation, steps: Math.max(0, ...Array.from(passes, ({ stepsTaken }) => stepsTaken)) };
  } finally {
    EvaluationPass.prototype.apply = apply;
  }
}
