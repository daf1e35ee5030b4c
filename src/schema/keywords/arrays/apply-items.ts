import type { BoundKeyword, EvaluationContext, SchemaNode } from '../keyword.js';
import type { EvaluatedParts } from '../evaluated-parts.js';
import { VALID, type Verdict } from '../verdict.js';

/** A schema for each of the first items, or one for all items from a position on. */
export type Items = { readonly tuple: readonly SchemaNode[] } | { readonly rest: SchemaNode; readonly start: number };

export function applyItems(
  { value }: BoundKeyword<Items>,
  instance: unknown,
  context: EvaluationContext,
  evaluated: EvaluatedParts | undefined,
): Verdict {
  if (!Array.isArray(instance)) return VALID;
  const isTuple = 'tuple' in value;
  const [start, end] = isTuple ? [0, Math.min(value.tuple.length, instance.length)] : [value.start, instance.length];
  const result = context.every(indexes(start, end), (i) => {
    const schema = isTuple ? value.tuple[i] : value.rest;
    return schema ? context.applyAt(schema, instance[i], i) : VALID;
  });
  if (isTuple) evaluated?.addPrefix(end);
  else evaluated?.addAll();
  return result;
}

/** One by one: a copy of a long list would be made for each of many branches. */
function* indexes(start: number, end: number): Generator<number> {
  for (let i = start; i < end; i++) yield i;
}
