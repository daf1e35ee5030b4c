import type { CompiledSchema, Refusal } from '../schema/index.js';
import { type ContextOptions, RepairContext } from './context.js';
import { blamedFixes, type Fix, mergeFixes, type Repaired, repairKey } from './fix.js';
import { isAmbiguous, withoutNeedless } from './minimal.js';
import { Branch, keyOf, maxLevels, type Problem } from './problem.js';

/** The arguments with repairs made. */
export interface Mended extends Repaired {
  /** By location, what refused texts would be read as, and why that does not fit. */
  readonly readings: ReadonlyMap<string, string>;
}

interface Attempt extends Repaired {
  /** Those that are left. */
  readonly problems: readonly Problem[];
}

/** Problems whose readings are told: a refusal has no more lines. */
const maxReadings = 10;

/** Attempts, each without the repairs that brought up something else before. */
const maxAttempts = 8;

/**
 * Makes the cheapest fix of each problem that leaves less refused; undefined when the steps are used up. Valid arguments
 * keep no repair that they do not need, and none at all if others would do as well.
 */
export function mend(compiled: CompiledSchema, args: unknown, options: ContextOptions): Mended | undefined {
  const context = new RepairContext(compiled, options);
  const { refusals } = context.refusals.of(args);
  const unrepaired: Repaired = { value: args, repairs: [], isValid: false };
  const { problems, ...made } = repairInRounds(context, args, refusals);
  let repaired: Repaired = made;
  if (repaired.isValid) repaired = withoutNeedless(context, { args, refusals }, repaired) ?? unrepaired;
  if (repaired.isValid && isAmbiguous(context, { args, refusals }, repaired)) repaired = unrepaired;
  const readings = new Map<string, string>();
  for (const { location, reading } of repaired.isValid ? [] : problems.slice(0, maxReadings))
    if (reading !== undefined) readings.set(location, reading);
  return context.exhausted ? undefined : { ...repaired, readings };
}

/** Repairs, evaluates, and repairs what came up by that; what it brought up and cannot fix, it does not do. */
function repairInRounds(context: RepairContext, args: unknown, first: readonly Refusal[]): Attempt {
  const given = new Branch(context, first, 0);
  const known = new Set(first.map(keyOf));
  const rejected = new Set<string>();
  const best = (fixes: readonly Fix[]) => {
    const fix = fixes.find(({ repairs }) => !repairs.some((each) => rejected.has(repairKey(each))));
    return fix?.isTied ? undefined : fix;
  };
  for (let attempt = 0; attempt < maxAttempts && !context.exhausted; attempt++) {
    let state: Repaired = { value: args, repairs: [], isValid: false };
    let fresh: readonly Refusal[] = [];
    let { problems } = given;
    const made: Fix[] = [];
    for (let round = 0; round < maxLevels && !state.isValid; round++) {
      const fixes = problems.map((problem) => best(problem.fixes)).filter((fix) => fix !== undefined);
      const { repairs } = mergeFixes(fixes);
      if (repairs.length === 0) break;
      made.push(...fixes);
      const value = context.changed(state.value, repairs);
      const { refusals, isValid } = context.refusals.of(value);
      state = { value, repairs: [...state.repairs, ...repairs], isValid };
      fresh = refusals.filter((refusal) => !known.has(keyOf(refusal)));
      problems = new Branch(context, refusals, 0).problems;
    }
    if (fresh.length === 0) return { ...state, problems };
    for (const fix of blamedFixes(made, fresh)) for (const each of fix.repairs) rejected.add(repairKey(each));
  }
  return { value: args, repairs: [], isValid: false, problems: given.problems };
}
