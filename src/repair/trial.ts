import type { CompiledSchema, EvaluateOptions, Evaluation, Violation } from '../schema/index.js';
import { startAllowance } from './allowance.js';
import { applyRepairs } from './apply.js';
import { Places } from './location.js';
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

const keysOfViolations = new WeakMap<Violation, string>();

/** What makes a violation the same one before and after a repair. */
export function keyOf(violation: Violation): string {
  const known = keysOfViolations.get(violation);
  if (known !== undefined) return known;
  const { instanceLocation, schemaLocation, keyword, property } = violation;
  const key = `${instanceLocation}\n${schemaLocation}\n${keyword}\n${property ?? ''}`;
  keysOfViolations.set(violation, key);
  return key;
}

/** By what repairs are judged: what was wrong before and may stay, and where anything else would be their doing. */
export interface Standard {
  readonly mayStay: ReadonlySet<string>;
  /** Set where not all violations of before are known: then what lies elsewhere may be old. */
  readonly sites?: Places;
}

/**
 * All violations but those being repaired and those at the very places that change may stay: a repair is kept where
 * the schema then accepts the value, not where it merely complains about less.
 */
export function standardFor(before: State, targets: readonly { key: string }[], repairs: readonly Repair[]): Standard {
  const keys = new Set(targets.map(({ key }) => key));
  const sites = new Places(repairs.map(({ instanceLocation }) => instanceLocation));
  const mayStay = new Set<string>();
  for (const violation of before.violations) {
    if (!sites.hold(violation.instanceLocation) && !keys.has(keyOf(violation))) mayStay.add(keyOf(violation));
  }
  return before.evaluation.outcome === 'invalid' && before.evaluation.truncated ? { mayStay, sites } : { mayStay };
}

/** What speaks against a state; undefined where its evaluation ended before anything could have been found. */
export function judge(state: State, { mayStay, sites }: Standard): Violation[] | undefined {
  const { evaluation } = state;
  if (evaluation.outcome === 'undetermined' && !leavesTheRestEvaluated.has(evaluation.reason)) return undefined;
  return state.violations.filter(
    (violation) => !mayStay.has(keyOf(violation)) && (sites === undefined || sites.touch(violation.instanceLocation)),
  );
}

/** Reasons that leave one place undetermined, while an exhausted budget leaves everything after it. */
const leavesTheRestEvaluated: ReadonlySet<string> = new Set(['unresolved-reference', 'pattern-time']);
