import { has, isObject, type JsonObject } from '../../../json/index.js';
import { type CompileContext, defineKeyword, type EvaluationContext, type SchemaNode } from '../keyword.js';
import type { EvaluatedParts } from '../evaluated-parts.js';
import { VALID, type Verdict } from '../verdict.js';

export type ConditionalSchemas = readonly (readonly [name: string, schema: SchemaNode])[];

/** core, 10.2.2.4 */
export const dependentSchemas = defineKeyword<ConditionalSchemas>({
  name: 'dependentSchemas',
  compile: (value, at) =>
    isObject(value) ? conditionalSchemas(value, Object.keys(value), at) : at.malformed('an object of schemas'),
  evaluate: (bound, instance, context, evaluated) =>
    isObject(instance) ? applyWherePresent(bound.value, instance, context, evaluated) : VALID,
});

export function conditionalSchemas(value: JsonObject, names: readonly string[], at: CompileContext) {
  return names.map((name) => [name, at.child(value[name], name)] as const);
}

export function applyWherePresent(
  schemas: ConditionalSchemas,
  instance: JsonObject,
  context: EvaluationContext,
  evaluated: EvaluatedParts | undefined,
): Verdict {
  context.consume(schemas.length);
  return context.every(schemas, ([name, schema]) =>
    has(instance, name) ? context.conditionally(() => context.apply(schema, instance, evaluated)) : VALID,
  );
}
