import type { EvaluatedParts } from './evaluated.js';
import type { SchemaNode } from './node.js';
import type { Run } from './run.js';
import { and, VALID, type Verdict } from './verdict.js';

/** Applies schemas to the items at their positions. */
export function applyTuple(
  schemas: readonly SchemaNode[],
  instance: readonly unknown[],
  run: Run,
  evaluated: EvaluatedParts | undefined,
): Verdict {
  let result: Verdict = VALID;
  const length = Math.min(schemas.length, instance.length);
  for (let i = 0; i < length; i++) {
    const schema = schemas[i];
    if (schema) result = and(result, run.applyAt(schema, instance[i], i));
    if (run.settled(result)) break;
  }
  evaluated?.addPrefix(length);
  return result;
}

/** Applies one schema to every item from a position on. */
export function applyToItems(
  schema: SchemaNode,
  instance: readonly unknown[],
  start: number,
  run: Run,
  evaluated: EvaluatedParts | undefined,
): Verdict {
  let result: Verdict = VALID;
  for (let i = start; i < instance.length; i++) {
    result = and(result, run.applyAt(schema, instance[i], i));
    if (run.settled(result)) break;
  }
  evaluated?.addAll();
  return result;
}
