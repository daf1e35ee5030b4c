import { jsonPointer, typeOf } from '../../json/index.js';

/** Another value that may be meant in the place of one that a schema refuses. */
export interface CandidateValue {
  /** Undefined where the member is to be left out. */
  readonly to: unknown;
  /**
   * How much is presumed by taking it, in halves below 1,000: of as many coercions those that presume least are taken.
   */
  readonly presumption: number;
}

/** What may be meant at a place in another value's stead. */
export interface Alternative<C extends CandidateValue> {
  readonly path: readonly (string | number)[];
  readonly from: unknown;
  readonly candidate: C;
  /** What must have been changed before, there or in what holds it. */
  readonly basis: Alternative<C> | undefined;
}

/** Changes that make a schema accept. */
export interface Solution<A> {
  readonly changes: readonly A[];
  readonly cost: number;
  /** By which solutions are told apart that come to different values; undefined where that takes too long. */
  readonly text: () => string | undefined;
  /** Whether the schema accepts for certain. */
  readonly isSure: boolean;
}

/** What came of taking some alternatives first, and leaving the rest to the schema. */
export interface Trial<C extends CandidateValue, A> {
  readonly solution: Solution<A> | undefined;
  /** What else might have been meant then. */
  readonly alternatives: readonly Alternative<C>[];
}

/** The solution that is known already, with what was changed before it. */
interface Known<C extends CandidateValue, A> extends Trial<C, A> {
  readonly solution: Solution<A>;
  readonly ground: Alternative<C> | undefined;
}

/** What a coercion costs beside its presumption: the fewest coercions come first. */
const coercionCost = 1_000;

/** Trials at most: each costs about what applying the schema does. */
const maxTrials = 64;

/** Changes of one solution of which each is tried without the others, too; of more, those within which others may be. */
const maxParts = 8;

export function costOf(changes: readonly { readonly candidate: CandidateValue }[]): number {
  return changes.reduce((sum, { candidate }) => sum + coercionCost + candidate.presumption, 0);
}

/**
 * The solution that costs least, and whether it is the only one that costs so little. Every alternative that is not
 * dearer is taken first in its turn, then with each that comes up with it, and so on. Whatever was not tried in the end
 * may be one.
 *
 * @param attempt undefined where the alternatives cannot be taken
 * @param spend false once too much is spent
 */
export function cheapest<C extends CandidateValue, A extends Alternative<C>>(
  known: Known<C, A>,
  attempt: (first: readonly Alternative<C>[]) => Trial<C, A> | undefined,
  spend: (steps: number) => boolean,
): { best: Solution<A>; isOnly: boolean } {
  const waiting: (readonly Alternative<C>[])[] = [];
  const seen = new Set<string>();
  let best = known.solution;
  let isOnly = known.solution.isSure;
  const { changes } = best;
  const own = new Set(changes.map(keyOf));
  const add = (first: readonly Alternative<C>[], added: readonly Alternative<C>[], taken?: readonly A[]) => {
    const anyway = taken ? new Set(taken.map(keyOf)) : own;
    for (const each of added) {
      // What the schema asks for by itself need not be taken first, beside something else.
      if (first.length > 0 && anyway.has(keyOf(each))) continue;
      const more = withBasis(first, each, known.ground);
      if (!spend(more.length) || costOf(more) > best.cost) continue;
      const key = more.map(keyOf).sort().join('\n');
      if (!seen.has(key)) waiting.push(more);
      seen.add(key);
    }
  };
  for (const change of changes)
    if (changes.length === 1 || (changes.length > maxParts && isScalar(change.candidate.to))) seen.add(keyOf(change));
  add([], known.alternatives);
  let text = waiting.length > 0 ? best.text() : undefined;
  for (let trials = 0; waiting.length > 0; trials++) {
    const first = waiting.shift() ?? [];
    if (costOf(first) > best.cost) continue;
    if (trials === maxTrials || !spend(1)) return { best, isOnly: false };
    const { solution, alternatives = [] } = attempt(first) ?? {};
    if (solution && solution.cost <= best.cost) {
      const other = solution.text();
      if (solution.cost < best.cost) {
        const former = best;
        [best, text, isOnly] = [solution, other, solution.isSure];
        // Some of them may do without the others.
        add([], former.changes);
      } else if (other !== text || other === undefined) isOnly = false;
    }
    add(first, alternatives, solution?.changes);
  }
  return { best, isOnly };
}

/** Alternatives, and one more with what it is based on, as far as that is not there yet. */
function withBasis<C extends CandidateValue>(
  first: readonly Alternative<C>[],
  added: Alternative<C>,
  ground: Alternative<C> | undefined,
): readonly Alternative<C>[] {
  const more: Alternative<C>[] = [added];
  for (let { basis } = added; basis && basis !== ground; basis = basis.basis) more.unshift(basis);
  if (first.length === 0) return more;
  const known = new Set(first.map(keyOf));
  return [...first, ...more.filter((each) => !known.has(keyOf(each)))];
}

/** What makes two alternatives the same one: the same value, or the same made of an object or array. */
function keyOf({ path, from, candidate: { to, presumption } }: Alternative<CandidateValue>): string {
  const texts = [from, to].map((value) => (isScalar(value) ? JSON.stringify(value) : typeOf(value)));
  return [jsonPointer(path), ...texts, ...(isScalar(to) ? [] : [presumption])].join(' ');
}

export function isScalar(value: unknown): boolean {
  return value !== undefined && value !== null && typeof value !== 'object';
}
