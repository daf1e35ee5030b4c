/** The members and items that schemas have evaluated, kept if an `unevaluated…` keyword needs them. */
export class EvaluatedParts {
  /** A part stayed undetermined, so anything not listed here may have been evaluated all the same. */
  uncertain = false;
  all = false;
  /** The number of items at the beginning that have been. */
  prefix = 0;
  readonly names = new Set<string>();
  readonly indexes = new Set<number>();

  /** @returns how many members and items were gone through */
  merge(other: EvaluatedParts): number {
    this.all ||= other.all;
    this.uncertain ||= other.uncertain;
    this.prefix = Math.max(this.prefix, other.prefix);
    for (const name of other.names) this.names.add(name);
    for (const index of other.indexes) this.indexes.add(index);
    return other.names.size + other.indexes.size;
  }

  hasProperty(name: string): boolean {
    return this.all || this.names.has(name);
  }

  hasItem(index: number): boolean {
    return this.all || index < this.prefix || this.indexes.has(index);
  }
}
