import type { EvaluationContext, SchemaNode } from '../keyword.js';
import type { EvaluatedParts } from '../evaluated-parts.js';
import { VALID, type Verdict } from '../verdict.js';

export function applyTuple(
  schemas: readonly SchemaNode[],
  instance: unknown,
  context: EvaluationContext,
  evaluated: EvaluatedParts | undefined,
): Verdict {
  if (!Array.isArray(instance)) return VALID;
  const length = Math.min(schemas.length, instance.length);
  const result = context.every(indexes(0, length), (i) => {
    const schema = schemas[i];
    return schema ? context.applyAt(schema, instance[i], i) : VALID;
  });
  evaluated?.addPrefix(length);
  return result;
}

export function applyToItems(
  schema: SchemaNode,
  instance: unknown,
  start: number,
  context: EvaluationContext,
  evaluated: EvaluatedParts | undefined,
): Verdict {
  if (!Array.isArray(instance)) return VALID;
  const result = context.every(indexes(start, instance.length), (i) => context.applyAt(schema, instance[i], i));
  evaluated?.addAll();
  return result;
}

/** One by one: a copy of a long list would be made for each of many branches. */
function* indexes(start: number, end: number): Generator<number> {
  for (let i = start; i < end; i++) yield i;
}
