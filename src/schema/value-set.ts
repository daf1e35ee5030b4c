import { canonical, keyOf } from './canonical.js';
import type { SchemaNode } from './node.js';
import type { Run } from './run.js';
import { INVALID, UNDETERMINED, VALID, type Verdict } from './verdict.js';

/** Up to so many values looking through the list is faster than making a set of it. */
const shortList = 12;

/** The values of an `enum` or `const`, looked up rather than compared one by one. */
export class ValueSet {
  private readonly primitives: ReadonlySet<unknown> | undefined;
  private composites: ReadonlySet<string | undefined> | undefined;

  constructor(readonly values: readonly unknown[]) {
    if (values.length > shortList) this.primitives = new Set(values);
  }

  has(instance: unknown, run: Run, node: SchemaNode): Verdict {
    if (typeof instance !== 'object' || instance === null) {
      const value = instance ?? null;
      // Long texts of one length are compared character by character.
      if (typeof value === 'string' && !run.spend(value.length >> 6)) return run.undetermined('steps', node, 'enum');
      return (this.primitives ? this.primitives.has(value) : this.values.includes(value)) ? VALID : INVALID;
    }
    this.composites ??= new Set(this.values.filter(isComposite).map(keyOf));
    if (this.composites.size === 0) return INVALID;
    const key = canonical(instance, run, node, 'enum');
    if (typeof key !== 'string') return UNDETERMINED;
    if (this.composites.has(key)) return VALID;
    // Some value nests too deeply to be compared: it may be the one.
    return this.composites.has(undefined) ? run.undetermined('depth', node, 'enum') : INVALID;
  }
}

function isComposite(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
