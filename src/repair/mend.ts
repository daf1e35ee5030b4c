import { canonicalText } from '../json/index.js';
import type { CompiledSchema, Refusal } from '../schema/index.js';
import { withHolders } from './apply.js';
import { costOf } from './candidates/candidates.js';
import type { Fix } from './fix.js';
import { cheapest, fixOf, isAt, joined, keyOf, memberPlaces, repairKey, without, withoutCheapest } from './fix.js';
import { neededRepairs } from './needed.js';
import { Fixes, maxChain, type MendOptions, type Malformed } from './fixes.js';
import type { Repair } from './options.js';

interface State {
  readonly value: unknown;
  readonly repairs: readonly Repair[];
  readonly isValid: boolean;
}

const maxRounds = 8;

/** Steps that finding out which repairs are needed may take, and at most a fifth of all. */
const needlessSteps = 100_000;

const others = { sets: 60, repairs: 3 };

/** Keeps the cheapest notations that leave less refused; undefined where the steps are used up. */
export function mend(compiled: CompiledSchema, args: unknown, options: MendOptions): State | undefined {
  const fixes = new Fixes(compiled, options);
  const mended = new Mending(fixes, args, Math.min(needlessSteps, options.steps / 5)).mend();
  return fixes.refusals.exhausted ? undefined : mended;
}

class Mending {
  readonly #fixes: Fixes;
  readonly #given: unknown;
  readonly #needlessSteps: number;
  #first: readonly Refusal[] = [];

  constructor(fixes: Fixes, given: unknown, needlessSteps: number) {
    this.#fixes = fixes;
    this.#given = given;
    this.#needlessSteps = needlessSteps;
  }

  mend(): State {
    const args = this.#given;
    // A repair may make room for others: a name, where what is left out had taken it.
    let state: State = { value: args, repairs: [], isValid: false };
    for (let round = 0; round < maxChain; round++) {
      const next = this.#once(state.value);
      if (next.repairs.length === 0) break;
      state = { ...next, repairs: [...state.repairs, ...next.repairs] };
      if (state.isValid) break;
    }
    if (state.isValid) state = this.#withoutNeedless(args, state);
    if (state.isValid && this.#isOneOfSeveral(args, state)) state = { value: args, repairs: [], isValid: false };
    return state;
  }

  #once(args: unknown): State {
    const first = this.#fixes.refusals.of(args);
    if (args === this.#given) this.#first = first.refusals;
    let units = this.#fixes.malformed(first.refusals).map((each) => this.#fixes.fixes(each, 0));
    let later: Fix[] = [];
    for (let round = 0; round < maxRounds && !this.#fixes.refusals.exhausted; round++) {
      const taken = units.map(cheapest);
      const { repairs } = joined([...taken.filter((fix) => fix !== undefined), ...later]);
      if (repairs.length === 0) break;
      const value = this.#fixes.changed(args, repairs);
      const { refusals, isValid } = this.#fixes.refusals.of(value);
      const known = new Set(refusals.length === 0 ? [] : first.refusals.map(keyOf));
      const fresh = refusals.filter((refusal) => !known.has(keyOf(refusal)));
      if (fresh.length === 0) return { value, isValid, repairs };
      const members = memberPlaces(fresh, repairs);
      let blamed = taken.map((fix) => isAt(fix, members));
      if (!blamed.includes(true)) {
        const more = this.#fixes.solve(fresh, 1).fix;
        if (more && !more.isTied) {
          later.push(more);
          continue;
        }
        // What these repairs brought up cannot be mended.
        const places = new Set(fresh.map(({ violation }) => violation.instanceLocation));
        const holders = new Set([...places].flatMap(withHolders));
        blamed = taken.map((fix) => isAt(fix, places, holders));
        if (!blamed.includes(true)) blamed.fill(true);
      }
      later = [];
      units = units.map((fixes, index) => (blamed[index] ? withoutCheapest(fixes) : fixes));
    }
    return { value: args, repairs: [], isValid: first.isValid };
  }

  /**
   * Takes back repairs that valid arguments do not need: several made at once can satisfy more than the schema asks for.
   * Where either of two would do, which one is meant is unknown. Very many repairs are not checked.
   */
  #withoutNeedless(args: unknown, state: State): State {
    const { repairs } = state;
    if (repairs.length < 2) return state;
    const needed = neededRepairs(args, this.#first, repairs, this.#fixes);
    const doubtful = repairs.filter((repair) => !needed.has(repair));
    if (doubtful.length === 0) return state;
    const attempt = (attempted: readonly Repair[]): State => {
      const value = this.#fixes.changed(args, attempted);
      return { value, repairs: attempted, isValid: this.#fixes.refusals.of(value).isValid };
    };
    const before = this.#fixes.refusals.consumed;
    attempt(repairs);
    const { consumed, exhausted } = this.#fixes.refusals;
    if (exhausted || (consumed - before) * doubtful.length > this.#needlessSteps) return state;
    const needless = doubtful.filter((repair) => attempt(without(repairs, [repair])).isValid);
    if (needless.length === 0) return state;
    const rest = attempt(without(repairs, needless));
    return rest.isValid ? this.#withoutNeedless(args, rest) : { value: args, repairs: [], isValid: false };
  }

  /**
   * Whether other repairs cost as little and come to something else: several unions about the same values may each have
   * one way, and all of them together another. Of many repairs this is not looked into.
   */
  #isOneOfSeveral(args: unknown, { repairs, value }: State): boolean {
    if (repairs.length > others.repairs || !this.#first.some(({ branches }) => branches.length > 0)) return false;
    const sites = [...this.#refusedWithin(this.#first)].map(([location, [first, ...more]]) => {
      const malformed: Malformed = { location, refusals: [first, ...more], edits: [] };
      return [...this.#fixes.candidates(malformed)].map(({ repair }) => repair);
    });
    const textOf = (each: unknown) => canonicalText(each, (steps) => this.#fixes.refusals.consume(steps));
    const own = textOf(value);
    const keys = new Set(repairs.map(repairKey));
    const most = this.#fixes.refusals.consumed + this.#needlessSteps;
    let left = others.sets;
    const isFound = (count: number, at: number, made: readonly Repair[], cost: number): boolean => {
      if (count === 0) {
        if (made.every((each) => keys.has(repairKey(each))) || left-- <= 0 || this.#fixes.refusals.consumed > most)
          return false;
        const other = this.#fixes.changed(args, made);
        return this.#fixes.refusals.of(other).isValid && textOf(other) !== own;
      }
      return sites.slice(at).some((site, index) =>
        site.some((repair) => {
          if (!this.#fixes.refusals.consume(1)) return true;
          const rest = cost - costOf(repair.kind, repair.to);
          return rest >= 0 && isFound(count - 1, at + index + 1, [...made, repair], rest);
        }),
      );
    };
    return repairs.some((_, index) => isFound(index + 1, 0, [], fixOf(repairs).cost));
  }

  #refusedWithin(refusals: readonly Refusal[], found = new Map<string, [Refusal, ...Refusal[]]>()) {
    for (const refusal of refusals) {
      if (found.size > others.sets || !this.#fixes.refusals.consume(1)) break;
      const { instanceLocation } = refusal.violation;
      const there = found.get(instanceLocation);
      if (there) there.push(refusal);
      else found.set(instanceLocation, [refusal]);
      for (const branch of refusal.branches) this.#refusedWithin(branch, found);
    }
    return found;
  }
}
