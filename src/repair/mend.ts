import type { CompiledSchema } from '../schema/index.js';
import { type Attempt, contextOf, type ContextOptions, type RepairContext } from './context.js';
import { type Fix, mergeFixes, type Problem } from './fix.js';
import { isAmbiguous, withoutNeedless } from './minimal.js';
import { branchOf, completed, keyOf, maxLevels, readingOf } from './problem.js';

/** Problems that get a reading: a refusal has no more lines. */
const maxReadings = 10;

/**
 * Makes the cheapest fix of each problem that leaves less refused; undefined when the steps are used up. Valid arguments
 * keep no repair that they do not need, and none at all if others would do as well. With the readings of rejected
 * strings, and why they do not fit, by location.
 */
export function mend(
  compiled: CompiledSchema,
  args: unknown,
  options: ContextOptions,
): (Attempt & { readonly readings: ReadonlyMap<string, string | undefined> }) | undefined {
  const context = contextOf(compiled, options);
  const given = context.attempt(args, []);
  let made = repairInRounds(context, given);
  if (made.isValid) made = withoutNeedless(context, given, made) ?? given;
  if (made.isValid && isAmbiguous(context, given, made)) made = given;
  const left = made.isValid ? [] : branchOf(context, made.refusals).problems.slice(0, maxReadings);
  const readings = new Map(left.map((problem) => [problem.location, readingOf(context, problem)]));
  return context.refusals.exhausted ? undefined : { ...made, readings };
}

/** Fixes what is refused, and in further rounds what could not be seen before. */
function repairInRounds(context: RepairContext, given: Attempt): Attempt {
  const known = new Set(given.refusals.map(keyOf));
  let state = given;
  for (let round = 0; round < maxLevels && !state.isValid; round++) {
    const fixable = branchOf(context, state.refusals).problems.filter((problem) => cheapest(problem).length > 0);
    const next = withFixed(context, fixable, state, known);
    if (next === state) break;
    state = next;
  }
  return state;
}

/** Fixes problems together. If that fails, each half is fixed by itself; of a single problem, the next fix is tried. */
function withFixed(
  context: RepairContext,
  problems: readonly Problem[],
  before: Attempt,
  known: ReadonlySet<string>,
): Attempt {
  const together = withFixes(context, problems.flatMap(cheapest), before, known);
  if (together) return together;
  const half = problems.length >> 1;
  if (half > 0) {
    const first = withFixed(context, problems.slice(0, half), before, known);
    return withFixed(context, problems.slice(half), first, known);
  }
  for (const fix of problems.flatMap(untied)) {
    const after = withFixes(context, [fix], before, known);
    if (after) return after;
  }
  return before;
}

/** The arguments with fixes made; undefined if these bring up something that stays refused. */
function withFixes(
  context: RepairContext,
  fixes: readonly Fix[],
  before: Attempt,
  known: ReadonlySet<string>,
): Attempt | undefined {
  let reached: Omit<Attempt, 'repairs'> = before;
  const again = (value: unknown) => (reached = { value, ...context.refusals.of(value) }).refusals;
  const whole = { value: before.value, location: '', again };
  const fix = fixes.length > 0 && completed(context, whole, mergeFixes(fixes), { level: 0, keys: () => known });
  // Repairs that contradict each other would be made and taken back for ever.
  if (!fix || fix.isTied || reached.refusals.length >= before.refusals.length) return undefined;
  return { ...reached, repairs: [...before.repairs, ...fix.repairs] };
}

/** The fixes before the first that ties with another. */
function untied({ fixes }: Problem): readonly Fix[] {
  const tie = fixes().findIndex(({ isTied }) => isTied);
  return tie < 0 ? fixes() : fixes().slice(0, tie);
}

function cheapest(problem: Problem): readonly Fix[] {
  return untied(problem).slice(0, 1);
}
