import type { EvaluationContext, SchemaNode } from '../keyword.js';
import type { EvaluatedParts } from '../evaluated-parts.js';
import { and, VALID, type Verdict } from '../verdict.js';

/** Applies schemas to the items at their positions. */
export function applyTuple(
  schemas: readonly SchemaNode[],
  instance: readonly unknown[],
  context: EvaluationContext,
  evaluated: EvaluatedParts | undefined,
): Verdict {
  let result: Verdict = VALID;
  const length = Math.min(schemas.length, instance.length);
  for (let i = 0; i < length; i++) {
    const schema = schemas[i];
    if (schema) result = and(result, context.applyAt(schema, instance[i], i));
    if (context.settled(result)) break;
  }
  evaluated?.addPrefix(length);
  return result;
}

/** Applies one schema to every item from a position on. */
export function applyToItems(
  schema: SchemaNode,
  instance: readonly unknown[],
  start: number,
  context: EvaluationContext,
  evaluated: EvaluatedParts | undefined,
): Verdict {
  let result: Verdict = VALID;
  for (let i = start; i < instance.length; i++) {
    result = and(result, context.applyAt(schema, instance[i], i));
    if (context.settled(result)) break;
  }
  evaluated?.addAll();
  return result;
}
