import { pointerToken, pointerTokens, startWork, valueAt, type Work } from '../json/index.js';
import {
  checkEvaluateOptions,
  coerce,
  type Coercion,
  type CoercionSite,
  type CompiledSchema,
  defaultBudget,
  evaluateCoercing,
  type EvaluateOptions,
  evaluateRefused,
  evaluateWith,
  type Evaluation,
  type Violation,
  withReceived,
} from '../schema/index.js';
import { applyRepairs, isWithin, placeAfter, withHolders } from './apply.js';
import { type Candidate, candidatesFor } from './candidates/candidates.js';
import { rememberNames } from './describe.js';
import { chosenKinds, type Repair, type RepairChoice, type RepairKind } from './options.js';
import { isSpelled, spellingsOf } from './candidates/spelling.js';

/** What came of a repair, and whether the schema accepts it. */
export interface RepairedArguments {
  /** The very value that came in where nothing was repaired. */
  readonly arguments: unknown;
  /** What was changed, in that order. */
  readonly repairs: readonly Repair[];
  /** Of the arguments returned; a value refused in both readings is reported as it came. */
  readonly evaluation: Evaluation;
}

/**
 * Repairs the slips that models make, guided by what the schema says about the arguments.
 *
 * The laws: what the schema accepts is never touched; a change is kept only where the schema refused the value and
 * accepts the changed one; arguments that end up valid hold no change that could be undone. Where a schema offers
 * several ways (`anyOf`, `oneOf`), the one that presumes least is taken; where two presume as much, neither.
 * Violations that cannot be repaired do not keep others from being repaired. The arguments given are not modified.
 *
 * ```ts
 * const compiled = compileSchema({ properties: { limit: { type: 'integer' }, zip: { type: 'string' } } });
 * repairArguments(compiled, { limit: '10', zip: '01234' }).arguments; // => { limit: 10, zip: '01234' }
 * ```
 *
 * @param choice which kinds of slips are repaired; by default those that made no call worse
 * @param options for the evaluation; all attempts together take at most twice its steps, and half a second
 * @throws TypeError where an option is wrong
 */
export function repairArguments(
  compiled: CompiledSchema,
  args: unknown,
  choice: RepairChoice = 'safe',
  options: EvaluateOptions = defaults,
): RepairedArguments {
  const kinds = chosenKinds(choice);
  if (options !== defaults) checkEvaluateOptions('repairArguments', options);
  const repaired = repairWith(compiled, args, kinds, options);
  rememberNames(repaired.repairs, repaired.arguments);
  return repaired;
}

/** Where nothing is given, there is nothing to check. */
const defaults: EvaluateOptions = {};

function repairWith(
  compiled: CompiledSchema,
  args: unknown,
  kinds: ReadonlySet<RepairKind>,
  options: EvaluateOptions,
): RepairedArguments {
  const nothing = (evaluation: Evaluation) => ({ arguments: args, repairs: [], evaluation });
  if (kinds.size === 0) return nothing(evaluateWith(compiled, args, options));
  const first = evaluateCoercing(compiled, args, (value, site) => candidatesFor(value, site, kinds), options);
  const { result } = first;
  if (result.outcome === 'valid' || result.outcome === 'undetermined') return nothing(result);
  if (result.outcome === 'coerced') {
    const { value, coercions } = result;
    const repairs = repairsOf(coercions);
    // What is left out may be all that asked for another.
    if (repairs.length === 1 || repairs.every(({ to }) => to !== undefined)) {
      return { arguments: value, repairs, evaluation: { outcome: 'valid' } };
    }
  }
  // One clock for all the rest; it stands still once the result is handed over, and only its violations are left to be
  // read.
  const work = startWork({ steps: Infinity, ms: first.work.msLeft, within: options.work, paused: true });
  const isHopeless = result.outcome === 'refused' && result.isHopeless;
  return work.during(() => {
    const within = { ...options, work };
    const given = nothing(evaluateRefused(compiled, args, within));
    return isHopeless ? given : repairRefused(work, compiled, given, kinds, within);
  });
}

function repairRefused(
  work: Work,
  compiled: CompiledSchema,
  given: RepairedArguments,
  kinds: ReadonlySet<RepairKind>,
  options: EvaluateOptions,
): RepairedArguments {
  const attempts = startAttempts(compiled, given.arguments, options);
  const { state, refused } = search(attempts, given, kinds);
  if (state.evaluation.outcome === 'valid') return withoutNeedless(attempts, state) ?? given;
  if (work.exhausted) return state;
  const explained = state === given ? given.evaluation : evaluateWith(compiled, state.arguments, options);
  return { ...state, evaluation: withReasons(compiled, state, refused, options) ?? explained };
}

/** How many budgets of steps all attempts together may use up, and how long they may take. */
const budgets = 2;
const maxMs = 500;

/** Each slip is a violation that has to be seen; the evaluator's own bound is made for messages. */
const maxViolations = 5_000;

type CandidatesFor = (value: unknown, site: CoercionSite) => readonly Candidate[];

/** What is tried, within one budget for all attempts; undefined once that is used up. */
interface Attempts {
  coerce(instance: unknown, candidates: CandidatesFor): ReturnType<typeof coerce<Candidate>> | undefined;
  evaluate(repairs: readonly Repair[]): RepairedArguments | undefined;
}

function startAttempts(compiled: CompiledSchema, args: unknown, options: EvaluateOptions): Attempts {
  const { steps = defaultBudget.steps, violations = 0 } = options.budget ?? {};
  const work = startWork({ steps: budgets * steps, ms: maxMs, within: options.work });
  const budget = { ...options.budget, violations: Math.max(violations, maxViolations) };
  const shared = { ...options, budget, work };
  const unlessExhausted = <Result>(result: Result) => (work.exhausted ? undefined : result);
  return {
    coerce: (instance, candidates) => unlessExhausted(coerce(compiled, instance, candidates, shared)),
    evaluate(repairs) {
      const repaired = applyRepairs(args, repairs);
      return unlessExhausted({ arguments: repaired, repairs, evaluation: evaluateWith(compiled, repaired, shared) });
    },
  };
}

/** Takes candidates until the schema accepts or none is left: again without those that made something else wrong. */
function search(attempts: Attempts, given: RepairedArguments, kinds: ReadonlySet<RepairKind>) {
  const denied = new Set<string>();
  const isDenied = ({ kind, instanceLocation }: Repair) => denied.has(`${kind} ${instanceLocation}`);
  const candidates: CandidatesFor = (value, site) => {
    const { instanceLocation } = site;
    return candidatesFor(value, site, kinds).filter(
      (candidate) => !repairsOf([{ instanceLocation, from: value, candidate }]).some(isDenied),
    );
  };
  let refused: ReadonlyMap<string, unknown> = new Map();
  let start: RepairedArguments | undefined;
  for (let known = -1; denied.size > known;) {
    known = denied.size;
    const coerced = attempts.coerce(given.arguments, candidates);
    if (!coerced) break;
    ({ refused } = coerced);
    if (coerced.coercions.length === 0) break;
    const next = attempts.evaluate(repairsOf(coerced.coercions));
    if (!next) break;
    // Beside what is denied, less may have been needed than is taken in its place.
    const isOpen = coerced.isOpen || denied.size > 0;
    if (next.evaluation.outcome !== 'invalid') return { state: isOpen ? given : next, refused };
    start ??= attempts.evaluate([]) ?? given;
    const culprits = culpritsIn(next, start);
    if (culprits.length === 0) return { state: next, refused };
    for (const { kind, instanceLocation } of culprits) denied.add(`${kind} ${instanceLocation}`);
  }
  return { state: given, refused };
}

function repairsOf(coercions: readonly Coercion<Candidate>[]): Repair[] {
  const repairs: Repair[] = [];
  for (const { instanceLocation, from, candidate } of coercions) {
    const { kind, to, renamed } = candidate;
    if (!renamed) repairs.push({ instanceLocation, kind, from, to });
    for (const [given, meant] of renamed ?? []) {
      repairs.push({ instanceLocation: `${instanceLocation}/${pointerToken(given)}`, kind, from: given, to: meant });
    }
  }
  return repairs;
}

/** The repairs at, within or around the places where something is wrong that was not before. */
function culpritsIn({ repairs, evaluation }: RepairedArguments, start: RepairedArguments): Repair[] {
  const before = new Set(violationsOf(start.evaluation).map(keyOf));
  const places = violationsOf(evaluation)
    .filter((violation) => !before.has(keyOf(violation)))
    .map(({ instanceLocation, property }) =>
      property === undefined ? instanceLocation : `${instanceLocation}/${pointerToken(property)}`,
    );
  const wrong = new Set(places);
  const around = new Set(places.flatMap(withHolders));
  return repairs.filter(
    (repair) =>
      around.has(repair.instanceLocation) ||
      withHolders(repair.instanceLocation).some((place) => wrong.has(place)) ||
      (repair.to === undefined && violationsOf(evaluation).some((violation) => isOtherSpelling(violation, repair))),
  );
}

/** Whether what was left out is there a second time: without the first, the second would be taken for it. */
function isOtherSpelling({ instanceLocation, property = '' }: Violation, repair: Repair): boolean {
  const end = repair.instanceLocation.lastIndexOf('/');
  if (repair.instanceLocation.slice(0, end) !== instanceLocation) return false;
  return isSpelled(property, spellingsOf(pointerTokens(repair.instanceLocation.slice(end))));
}

function violationsOf(evaluation: Evaluation): readonly Violation[] {
  return evaluation.outcome === 'invalid' ? evaluation.violations : [];
}

/** What makes a violation the same one before and after a repair. */
function keyOf({ instanceLocation, schemaLocation, keyword, property = '' }: Violation): string {
  return `${instanceLocation}\n${schemaLocation}\n${keyword}\n${property}`;
}

/** Each is an evaluation more. */
const maxNeedlessChecks = 32;

/**
 * Takes back every repair that valid arguments do not need: several made at once can satisfy a schema of which each asks
 * for less. What is left is needed, one by one. Undefined where either of two would do: then it cannot be told which is
 * meant. Only where there are very many repairs this is not looked into.
 */
function withoutNeedless(attempts: Attempts, state: RepairedArguments): RepairedArguments | undefined {
  const { repairs } = state;
  if (repairs.length < 2 || repairs.length > maxNeedlessChecks) return state;
  const isValid = (attempt: RepairedArguments | undefined) => attempt?.evaluation.outcome === 'valid';
  const needless = repairs.filter((repair) => isValid(attempts.evaluate(without(repairs, [repair]))));
  if (needless.length === 0) return state;
  const needed = attempts.evaluate(without(repairs, needless));
  return needed && isValid(needed) ? withoutNeedless(attempts, needed) : undefined;
}

/** The others, without what was repaired within the results of these, or made of them. */
function without(repairs: readonly Repair[], dropped: readonly Repair[]): Repair[] {
  return repairs.filter(
    (repair, index) =>
      !dropped.some((each) => each === repair || (index > repairs.indexOf(each) && isMadeOf(repair, each))),
  );
}

function isMadeOf(repair: Repair, former: Repair): boolean {
  const { instanceLocation, kind } = repair;
  const place = placeAfter(former);
  return isWithin(instanceLocation, place) || (kind !== 'name' && isWithin(place, instanceLocation));
}

/**
 * Where a value only had the wrong type but would be refused in the right one, too, that reason is told: `"-1"` where an
 * integer of at least 0 is wanted reads: must be >= 0, received "-1". Undefined where there is no such value.
 */
function withReasons(
  compiled: CompiledSchema,
  { arguments: args, repairs }: RepairedArguments,
  refused: ReadonlyMap<string, unknown>,
  options: EvaluateOptions,
): Evaluation | undefined {
  const done = new Set(repairs.map(({ instanceLocation }) => instanceLocation));
  // What was read within a text that is still a text stands nowhere.
  const isThere = (instanceLocation: string) => valueAt(args, instanceLocation) !== undefined;
  const readings = [...refused].filter(([place]) => !done.has(place) && isThere(place));
  if (readings.length === 0) return undefined;
  const replacements = readings.map(([instanceLocation, to]) => ({ instanceLocation, to }));
  const evaluation = evaluateWith(compiled, applyRepairs(args, replacements), options);
  if (evaluation.outcome !== 'invalid') return undefined;
  const violations = evaluation.violations.map((violation) =>
    withReceived(violation, valueAt(args, violation.instanceLocation)),
  );
  return { ...evaluation, violations };
}
