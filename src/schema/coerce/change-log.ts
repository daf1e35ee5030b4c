import type { CandidateValue } from './cheapest.js';
import type { Change, Finding, Spot } from './site.js';
import { copyOf, copySteps, put, sizeOf, type Slot, valueOf } from './slot.js';

/**
 * What was changed in a copy of an instance, in order: it can be taken back and done again. Only what is changed, and
 * what holds it, is copied.
 */
export class ChangeLog<C extends CandidateValue> {
  readonly #changes: Change<C>[] = [];
  /** Objects and arrays that are copies already. */
  readonly #copies = new Set<unknown>();

  get changes(): readonly Change<C>[] {
    return this.#changes;
  }

  get length(): number {
    return this.#changes.length;
  }

  /**
   * What stands somewhere, as a copy that may be changed.
   *
   * @param spend charges the steps that copying takes, and says whether they are left
   * @returns undefined where they are not
   */
  copyAt(spot: Spot<C>, spend: (steps: number) => boolean): unknown {
    const value = valueOf(spot);
    if (typeof value !== 'object' || value === null || this.#copies.has(value)) return value;
    if (!spend(copySteps * sizeOf(value))) return undefined;
    const copy = this.#copyOf(value);
    put(spot, copy);
    return copy;
  }

  take(spot: Spot<C>, path: readonly (string | number)[], candidate: C, again: Finding<C>['again']): void {
    // The candidate itself is reported; the copy in its place may be coerced further, and what is in it is copied when
    // it is.
    const after = this.#anew(candidate.to);
    this.redo([{ spot, path, from: valueOf(spot), candidate, basis: spot.basis, again, after }]);
  }

  redo(changes: readonly Change<C>[]): void {
    for (const change of changes) {
      put(change.spot, change.after);
      change.spot.basis = change;
      this.#changes.push(change);
    }
  }

  /** Takes back what was changed since; in the end the copy is as it was. */
  undo(mark: number): Change<C>[] {
    const undone = this.#changes.splice(mark);
    for (const { spot, from, basis } of undone.toReversed()) {
      put(spot, from);
      spot.basis = basis;
    }
    return undone;
  }

  /** A copy of a candidate, and of the copies in it: what was refused and what is reported stay as they are. */
  #anew(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const copy = this.#copyOf(value);
    for (const key of Object.keys(copy)) {
      const part = copy[key];
      if (this.#copies.has(part)) put({ holder: copy, key }, this.#anew(part));
    }
    return copy;
  }

  #copyOf(value: object): Slot['holder'] {
    const copy = copyOf(value);
    this.#copies.add(copy);
    return copy;
  }
}
