import type { CompiledSchema } from '../schema/index.js';
import { type Attempt, contextOf, type ContextOptions, type RepairContext } from './context.js';
import { type Fix, mergeFixes, type Problem } from './fix.js';
import { isAmbiguous, withoutNeedless } from './minimal.js';
import { branchOf, completed, keyOf, maxLevels, readingOf } from './problem.js';

export interface Mended extends Attempt {
  /** The readings of rejected strings, and why they do not fit, by location. */
  readonly readings: ReadonlyMap<string, string | undefined>;
}

/** Problems whose readings are told: a refusal has no more lines. */
const maxReadings = 10;

/**
 * Makes the cheapest fix of each problem that leaves less refused; undefined when the steps are used up. Valid arguments
 * keep no repair that they do not need, and none at all if others would do as well.
 */
export function mend(compiled: CompiledSchema, args: unknown, options: ContextOptions): Mended | undefined {
  const context = contextOf(compiled, options);
  const given = context.attempt(args, []);
  let made = repairInRounds(context, given);
  if (made.isValid) made = withoutNeedless(context, given, made) ?? given;
  if (made.isValid && isAmbiguous(context, given, made)) made = given;
  const left = made.isValid ? [] : branchOf(context, made.refusals).problems.slice(0, maxReadings);
  const readings = new Map(left.map((problem) => [problem.location, readingOf(context, problem)]));
  return context.refusals.exhausted ? undefined : { ...made, readings };
}

/** Fixes that bring up nothing that stays refused, and the arguments with them made. */
interface Settled {
  readonly fixes: readonly Fix[];
  readonly after: Attempt;
}

/** Fixes the violations, and in further rounds those that were hidden before. */
function repairInRounds(context: RepairContext, given: Attempt): Attempt {
  const known = new Set(given.refusals.map(keyOf));
  const keys = () => known;

  /** Fixes problems together. If that fails, fixes each half by itself; for a single problem, tries the next fix. */
  const settle = (problems: readonly Problem[], before: Attempt): Settled => {
    const made = (fixes: readonly Fix[]): Settled | undefined => {
      let reached: Omit<Attempt, 'repairs'> = before;
      const again = (value: unknown) => (reached = { value, ...context.refusals.of(value) }).refusals;
      const whole = { value: before.value, location: '', again };
      const fix = fixes.length === 0 ? undefined : completed(context, whole, mergeFixes(fixes), { level: 0, keys });
      // Repairs that contradict each other would be made and taken back for ever.
      if (!fix || fix.isTied || reached.refusals.length >= before.refusals.length) return undefined;
      return { fixes, after: { ...reached, repairs: [...before.repairs, ...fix.repairs] } };
    };
    const all = made(problems.flatMap(cheapest));
    if (all) return all;
    const half = problems.length >> 1;
    const fixes =
      half > 0
        ? [problems.slice(0, half), problems.slice(half)].flatMap((each) => settle(each, before).fixes)
        : problems
            .flatMap(untied)
            .filter((fix) => made([fix]))
            .slice(0, 1);
    return made(fixes) ?? { fixes: [], after: before };
  };

  let state = given;
  for (let round = 0; round < maxLevels && !state.isValid; round++) {
    const fixable = branchOf(context, state.refusals).problems.filter((problem) => cheapest(problem).length > 0);
    const { after } = settle(fixable, state);
    if (after === state) break;
    state = after;
  }
  return state;
}

/** The fixes before the first that ties with another. */
function untied({ fixes }: Problem): readonly Fix[] {
  const tie = fixes().findIndex(({ isTied }) => isTied);
  return tie < 0 ? fixes() : fixes().slice(0, tie);
}

function cheapest(problem: Problem): readonly Fix[] {
  return untied(problem).slice(0, 1);
}
