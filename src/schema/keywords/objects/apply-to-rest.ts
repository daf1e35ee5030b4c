import type { JsonObject } from '../../../json/index.js';
import type { BoundKeyword, EvaluationContext, SchemaNode } from '../keyword.js';
import { UNDETERMINED, VALID, type Verdict } from '../verdict.js';

interface Rest {
  readonly bound: BoundKeyword;
  readonly schema: SchemaNode;
  /** The schema that declares the others. */
  readonly declaring: unknown;
  /** Whether another keyword may have evaluated the member. */
  readonly isUncertain: boolean;
}

export function applyToRest(
  { bound, schema, declaring, isUncertain }: Rest,
  instance: JsonObject,
  name: string,
  context: EvaluationContext,
): Verdict {
  if (isUncertain) return context.tryAt(schema, instance[name], name) === VALID ? VALID : UNDETERMINED;
  if (schema.schema !== false) return context.applyAt(schema, instance[name], name);
  return context.report(bound, instance, { kind: 'unwanted', property: name, schema: declaring });
}
