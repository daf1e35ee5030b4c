/**
 * Verdicts in Kleene's three-valued logic. A used-up budget or a dangling reference makes a part *undetermined*, and
 * the whole only if that part decides. Ordered so that `and` is the maximum, `or` the minimum and `not` the mirror
 * image.
 */
export const VALID = 0;
export const UNDETERMINED = 1;
export const INVALID = 2;

export type Verdict = typeof VALID | typeof UNDETERMINED | typeof INVALID;

/** Why an evaluation is undetermined: a part of the budget was used up, or a reference leads nowhere. */
export type UndeterminedReason =
  'steps' | 'time' | 'depth' | 'pattern-time' | 'argument-size' | 'schema-size' | 'unresolved-reference';

export function and(left: Verdict, right: Verdict): Verdict {
  return left > right ? left : right;
}

export function or(left: Verdict, right: Verdict): Verdict {
  return left < right ? left : right;
}

export function not(verdict: Verdict): Verdict {
  return verdict === VALID ? INVALID : verdict === INVALID ? VALID : UNDETERMINED;
}
