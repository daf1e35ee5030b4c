import type { JsonObject } from '../../json/index.js';
import { viewOf, type Reading, type SchemaView } from '../../schema/index.js';

export interface Walk {
  readonly reading: Reading;
  readonly path: readonly unknown[];
  readonly depth: number;
  /** Parts that may still be read; shared by all branches, because references multiply. */
  readonly left: { parts: number };
}

export function startWalk(reading: Reading, parts: number): Walk {
  return { reading, path: [], depth: 0, left: { parts } };
}

/** A schema as a person would read it, whether it contains itself, and the way further down. */
export function enter<Way extends Walk>(schema: unknown, walk: Way): { view: SchemaView; recurs: boolean; inner: Way } {
  const view = viewOf(schema, walk.reading);
  const recurs = view.followed.some((target) => walk.path.includes(target));
  return { view, recurs, inner: { ...walk, path: [...walk.path, ...view.followed], depth: walk.depth + 1 } };
}

/** The type of the values that a schema is for which names none: many name the members alone. */
export function impliedType(schema: JsonObject): 'object' | 'array' | undefined {
  if ('properties' in schema || 'patternProperties' in schema) return 'object';
  return 'items' in schema ? 'array' : undefined;
}

/** The least and the greatest number; an exclusive bound of a whole number is the next one, of another counts as included. */
export function numberBounds(schema: JsonObject, isWhole: boolean): { minimum?: number; maximum?: number } {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const above = (bound: number) => (isWhole ? Math.floor(bound) + 1 : bound);
  const low = typeof exclusiveMinimum === 'number' ? above(exclusiveMinimum) : minimum;
  const high = typeof exclusiveMaximum === 'number' ? -above(-exclusiveMaximum) : maximum;
  return { ...(typeof low === 'number' && { minimum: low }), ...(typeof high === 'number' && { maximum: high }) };
}
