import { has, isObject, type JsonObject } from '../../../json/index.js';
import { defineKeyword, type EvaluationContext, type SchemaNode } from '../keyword.js';
import type { EvaluatedParts } from '../evaluated-parts.js';
import { and, VALID, type Verdict } from '../verdict.js';

export type ConditionalSchemas = readonly (readonly [name: string, schema: SchemaNode])[];

/** core, 10.2.2.4 */
export const dependentSchemas = defineKeyword<ConditionalSchemas>({
  name: 'dependentSchemas',
  compile(value, at) {
    if (!isObject(value)) return at.malformed('an object of schemas');
    return Object.keys(value).map((name) => [name, at.child(value[name], name)] as const);
  },
  evaluate: (bound, instance, context, evaluated) =>
    isObject(instance) ? applyWherePresent(bound.value, instance, context, evaluated) : VALID,
});

export function applyWherePresent(
  schemas: ConditionalSchemas,
  instance: JsonObject,
  context: EvaluationContext,
  evaluated: EvaluatedParts | undefined,
): Verdict {
  context.consume(schemas.length);
  let result: Verdict = VALID;
  for (const [name, schema] of schemas) {
    if (!has(instance, name)) continue;
    result = and(result, context.apply(schema, instance, evaluated));
    if (context.settled(result)) break;
  }
  return result;
}
