import { canonical, canonicalText, comparisonDepth } from './canonical.js';
import type { SchemaNode } from './node.js';
import type { Run } from './run.js';
import { INVALID, UNDETERMINED, VALID, type Verdict } from './verdict.js';

/** The values of an `enum` or `const`, looked up rather than compared one by one. */
export class ValueSet {
  private readonly primitives: Set<unknown>;
  private readonly texts: Set<string> | undefined;
  /** Some value nests too deeply to be compared. */
  private readonly incomplete: boolean;

  constructor(readonly values: readonly unknown[]) {
    const composite = values.filter((value) => typeof value === 'object' && value !== null) as object[];
    this.primitives = new Set(composite.length === 0 ? values : values.filter((value) => value === null || typeof value !== 'object'));
    const texts = composite.map((value) => canonicalText(value, comparisonDepth, () => true));
    this.texts = composite.length === 0 ? undefined : new Set(texts.filter((text) => text !== undefined));
    this.incomplete = texts.includes(undefined);
  }

  has(instance: unknown, run: Run, node: SchemaNode): Verdict {
    if (typeof instance !== 'object' || instance === null) return this.primitives.has(instance ?? null) ? VALID : INVALID;
    if (!this.texts) return INVALID;
    const key = canonical(instance, run, node, 'enum');
    if (key === undefined) return UNDETERMINED;
    if (typeof key === 'string' && this.texts.has(key)) return VALID;
    return this.incomplete ? run.undetermined('depth', node, 'enum') : INVALID;
  }
}
