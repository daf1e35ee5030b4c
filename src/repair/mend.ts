import type { CompiledSchema } from '../schema/index.js';
import { type Attempt, contextOf, type ContextOptions, type RepairContext } from './context.js';
import { type Fix, mergeFixes, type Problem } from './fix.js';
import { isTiedWithOthers, withoutNeedless } from './minimal.js';
import { branchOf, completed, keyOf, maxLevels } from './problem.js';
import { readingsIn } from './readings.js';

/** Arguments with repairs, and for those that are still refused the readings of strings, by location. */
export interface Mended extends Attempt {
  readonly readings: ReadonlyMap<string, string | undefined>;
}

/**
 * Repairs arguments, in three steps; undefined when the budget is used up.
 *
 * 1. In rounds, the cheapest fix of each problem is made. It leaves fewer refusals, and no new one.
 * 2. If nothing is refused then, repairs that are not needed are taken back.
 * 3. If other repairs would do as well, it is unknown which are meant: none is made.
 */
export function mend(compiled: CompiledSchema, args: unknown, options: ContextOptions): Mended | undefined {
  const context = contextOf(compiled, options);
  const sent = context.attempt(args, []);
  let made = repairInRounds(context, sent);
  if (made.isSettled) made = withoutNeedless(context, sent, made) ?? sent;
  if (made.isSettled && isTiedWithOthers(context, sent, made)) made = sent;
  const readings = readingsIn(context, branchOf(context, made.refusals));
  return context.evaluator.exhausted ? undefined : { ...made, readings };
}

/** Fixes what is refused. In further rounds come fixes that collided with others, and what a wrapper held. */
function repairInRounds(context: RepairContext, sent: Attempt): Attempt {
  // A fix may leave what was refused of the arguments as sent: another fix settles it, or none does. It leaves nothing new.
  const mayStay = new Set(sent.refusals.map(keyOf));
  let made = sent;
  for (let round = 0; round < maxLevels && !made.isSettled; round++) {
    const fixable = branchOf(context, made.refusals).problems.filter((problem) => cheapest(problem).length > 0);
    const next = withFixed(context, fixable, made, mayStay);
    if (next === made) break;
    made = next;
  }
  return made;
}

/** Fixes problems together. If that fails, each half is fixed by itself; of a single problem, the next fix is tried. */
function withFixed(
  context: RepairContext,
  problems: readonly Problem[],
  before: Attempt,
  mayStay: ReadonlySet<string>,
): Attempt {
  const together = withFixes(context, problems.flatMap(cheapest), before, mayStay);
  if (together) return together;
  const half = problems.length >> 1;
  if (half > 0) {
    const first = withFixed(context, problems.slice(0, half), before, mayStay);
    return withFixed(context, problems.slice(half), first, mayStay);
  }
  for (const fix of problems.flatMap(untied)) {
    const after = withFixes(context, [fix], before, mayStay);
    if (after) return after;
  }
  return before;
}

/** The arguments with fixes made; undefined if these bring up something that stays refused. */
function withFixes(
  context: RepairContext,
  fixes: readonly Fix[],
  before: Attempt,
  mayStay: ReadonlySet<string>,
): Attempt | undefined {
  // The last arguments that are evaluated are those with the fix that is returned.
  let last: Omit<Attempt, 'repairs'> = before;
  const again = (value: unknown) => (last = context.evaluator.of(value)).refusals;
  const whole = { value: before.value, location: '', again };
  const scope = { level: 0, mayStay: (key: string) => mayStay.has(key) };
  const fix = fixes.length > 0 && completed(context, whole, mergeFixes(fixes), scope);
  // Repairs that contradict each other would be made and taken back for ever.
  if (!fix || fix.isTied || last.refusals.length >= before.refusals.length) return undefined;
  return { ...last, repairs: [...before.repairs, ...fix.repairs] };
}

/** The fixes before the first that ties with another. */
function untied({ fixes }: Problem): readonly Fix[] {
  const tie = fixes().findIndex(({ isTied }) => isTied);
  return tie < 0 ? fixes() : fixes().slice(0, tie);
}

function cheapest(problem: Problem): readonly Fix[] {
  return untied(problem).slice(0, 1);
}
