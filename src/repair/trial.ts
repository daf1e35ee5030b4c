import type { CompiledSchema, EvaluateOptions, Evaluation, Violation } from '../schema/index.js';
import { startAllowance } from './allowance.js';
import { applyRepairs } from './apply.js';
import type { Repair, RepairOptions } from './options.js';

/** Arguments as far as they are repaired, and what the schema says of them. */
export interface State {
  readonly instance: unknown;
  readonly repairs: readonly Repair[];
  readonly evaluation: Evaluation;
  readonly violations: readonly Violation[];
  readonly keys: ReadonlySet<string>;
}

/** What every step of one repair shares. */
export interface Trial {
  readonly options: RepairOptions;
  readonly start: State;
  /** The state with some more repairs; undefined when no further evaluation may be spent on it. */
  attempt(from: State, repairs: readonly Repair[]): State | undefined;
}

export function startTrial(
  compiled: CompiledSchema,
  instance: unknown,
  first: Evaluation,
  options: RepairOptions,
  evaluateOptions: EvaluateOptions,
): Trial {
  const allowance = startAllowance(compiled, evaluateOptions);
  const look = (value: unknown, repairs: readonly Repair[]): State | undefined => {
    const evaluation = allowance.evaluate(value);
    return evaluation && stateOf(value, repairs, evaluation);
  };
  const start = stateOf(instance, [], first);
  const isCutShort = first.outcome === 'invalid' && first.truncated;
  return {
    options,
    start: (isCutShort ? look(instance, []) : undefined) ?? start,
    attempt: (from, repairs) => look(applyRepairs(from.instance, repairs), [...from.repairs, ...repairs]),
  };
}

function stateOf(instance: unknown, repairs: readonly Repair[], evaluation: Evaluation): State {
  const violations = evaluation.outcome === 'valid' ? [] : evaluation.violations;
  return { instance, repairs, evaluation, violations, keys: new Set(violations.map(keyOf)) };
}

/** What makes a violation the same one before and after a repair. */
export function keyOf(violation: Violation): string {
  const { instanceLocation, schemaLocation, keyword, property } = violation;
  return JSON.stringify([instanceLocation, schemaLocation, keyword, property]);
}

/**
 * What speaks against a state: violations other than those let through. Undefined where the evaluation ended before
 * it could have found any.
 */
export function objections(state: State, letThrough: ReadonlySet<string>): Violation[] | undefined {
  const { evaluation } = state;
  if (evaluation.outcome === 'undetermined' && !leavesTheRestEvaluated.has(evaluation.reason)) return undefined;
  return state.violations.filter((violation) => !letThrough.has(keyOf(violation)));
}

/** Reasons that leave one place undetermined, while an exhausted budget leaves everything after it. */
const leavesTheRestEvaluated: ReadonlySet<string> = new Set(['unresolved-reference', 'pattern-time']);
