import { has, isObject, type JsonObject, member } from '../../../json/index.js';
import type { BoundKeyword, CompileContext, EvaluationContext, SchemaNode } from '../keyword.js';
import { defineKeyword } from '../keyword.js';
import { and, INVALID, VALID, type Verdict } from '../verdict.js';
import type { EvaluatedParts } from '../evaluated-parts.js';

type Companions = readonly (readonly [name: string, required: readonly string[]])[];

/** validation, 6.5.4 */
export const dependentRequired = defineKeyword<Companions>({
  name: 'dependentRequired',
  compile(value, at) {
    const isLists = isObject(value) && Object.values(value).every(Array.isArray);
    return isLists ? companionsOf(value) : at.malformed('an object of arrays of property names');
  },
  evaluate: (bound, instance, context) =>
    isObject(instance) ? requireCompanions(bound, bound.value, instance, context) : VALID,
});

function companionsOf(value: JsonObject): Companions {
  return Object.keys(value).flatMap((name) => {
    const list: unknown = value[name];
    return Array.isArray(list) ? [[name, list.filter((item) => typeof item === 'string')] as const] : [];
  });
}

function requireCompanions(
  bound: BoundKeyword,
  companions: Companions,
  instance: JsonObject,
  context: EvaluationContext,
): Verdict {
  let result: Verdict = VALID;
  for (const [name, required] of companions) {
    context.consume(1 + required.length);
    if (!has(instance, name)) continue;
    for (const property of required) {
      if (has(instance, property)) continue;
      result = INVALID;
      if (!context.collecting) return result;
      const schema = member(member(bound.node.schema, 'properties'), property);
      context.report(bound, instance, { kind: 'missing', property, beside: name, schema });
    }
  }
  return result;
}

type ConditionalSchemas = readonly (readonly [name: string, schema: SchemaNode])[];

/** core, 10.2.2.4 */
export const dependentSchemas = defineKeyword<ConditionalSchemas>({
  name: 'dependentSchemas',
  compile: (value, at) =>
    isObject(value) ? conditionalSchemas(value, Object.keys(value), at) : at.malformed('an object of schemas'),
  evaluate: (bound, instance, context, evaluated) =>
    isObject(instance) ? applyWherePresent(bound.value, instance, context, evaluated) : VALID,
});

function conditionalSchemas(value: JsonObject, names: readonly string[], at: CompileContext) {
  return names.map((name) => [name, at.child(value[name], name)] as const);
}

function applyWherePresent(
  schemas: ConditionalSchemas,
  instance: JsonObject,
  context: EvaluationContext,
  evaluated: EvaluatedParts | undefined,
): Verdict {
  context.consume(schemas.length);
  const present = schemas.filter(([name]) => has(instance, name));
  return context.conditionally(() =>
    context.every(present, ([, schema]) => context.apply(schema, instance, evaluated)),
  );
}

/** draft-07 validation, 6.5.7: `dependentRequired` and `dependentSchemas` in one; later dialects leave it undefined. */
export const dependencies = defineKeyword<{ readonly companions: Companions; readonly schemas: ConditionalSchemas }>({
  name: 'dependencies',
  compile(value, at) {
    if (!isObject(value)) return at.malformed('an object of schemas and arrays of property names');
    const named = Object.keys(value).filter((name) => !Array.isArray(value[name]));
    return { companions: companionsOf(value), schemas: conditionalSchemas(value, named, at) };
  },
  evaluate(bound, instance, context, evaluated) {
    if (!isObject(instance)) return VALID;
    const { companions, schemas } = bound.value;
    const first = requireCompanions(bound, companions, instance, context);
    return and(first, applyWherePresent(schemas, instance, context, evaluated));
  },
});
