import { isObject, type JsonObject } from '../../../json/index.js';
import type { BoundKeyword, EvaluationContext, SchemaNode, Verdict } from '../keyword.js';
import { defineKeyword, everyMember, INVALID, UNDETERMINED, VALID } from '../keyword.js';
import type { Pattern } from '../../patterns/pattern.js';

interface AdditionalProperties {
  readonly schema: SchemaNode;
  readonly names: JsonObject;
  readonly patterns: readonly Pattern[];
}

/** core, 10.3.2.3: the members that neither `properties` nor `patternProperties` beside it speak of. */
export const additionalProperties = defineKeyword<AdditionalProperties>('additionalProperties', {
  compile(value, at) {
    const schema = at.schemaOf(value);
    const [names, sources] = [at.sibling('properties'), at.sibling('patternProperties')];
    const patterns = isObject(sources) ? Object.keys(sources).map((source) => at.pattern(source)) : [];
    return schema && { schema, names: isObject(names) ? names : {}, patterns };
  },
  evaluate(bound, instance, context, evaluated) {
    const { schema, names, patterns } = bound.value;
    if (schema.schema === true && !evaluated) return VALID;
    return everyMember(instance, context, (name) => {
      if (Object.hasOwn(names, name)) return VALID;
      let covered: Verdict = INVALID;
      for (const pattern of patterns) {
        // A pattern that cannot be parsed may cover any name.
        const match = pattern.isReadable ? context.matches(pattern, name, bound.node, 'additionalProperties') : VALID;
        if (match < covered) covered = match;
        if (covered === VALID) return VALID;
      }
      evaluated?.names.add(name);
      const rest = { bound, schema, declaring: { properties: names }, isUncertain: covered === UNDETERMINED };
      return applyToRest(rest, instance as JsonObject, name, context); // an object, since it has members
    });
  },
});

interface Rest {
  readonly bound: BoundKeyword;
  readonly schema: SchemaNode;
  readonly declaring: unknown;
  readonly isUncertain: boolean;
}

function applyToRest(
  { bound, schema, declaring, isUncertain }: Rest,
  instance: JsonObject,
  name: string,
  context: EvaluationContext,
): Verdict {
  if (isUncertain) return context.tryAt(schema, instance[name], name) === VALID ? VALID : UNDETERMINED;
  if (schema.schema !== false) return context.applyAt(schema, instance[name], name);
  return context.report(bound, instance, { kind: 'unwanted', property: name, schema: declaring });
}

/** core, 11.3 */
export const unevaluatedProperties = defineKeyword<SchemaNode>('unevaluatedProperties', {
  dependsOnSiblings: true,
  compile: (value, at) => at.schemaOf(value),
  evaluate(bound, instance, context, evaluated) {
    if (!isObject(instance) || !evaluated) return VALID;
    const rest = { bound, schema: bound.value, declaring: bound.node.schema, isUncertain: evaluated.uncertain };
    const verdictOf = (name: string) =>
      evaluated.hasProperty(name) ? VALID : applyToRest(rest, instance, name, context);
    const result = context.conditionally(() => everyMember(instance, context, verdictOf));
    evaluated.all = true;
    return result;
  },
});

/** core, 10.3.2.4 */
export const propertyNames = defineKeyword<SchemaNode>('propertyNames', {
  compile: (value, at) => at.schemaOf(value),
  evaluate: (bound, instance, context) =>
    everyMember(instance, context, (name) => {
      const verdict = context.try(bound.value, name);
      if (verdict !== INVALID) return verdict;
      const refusals = context.refusals([bound.value], name);
      return context.report(bound, instance, {
        kind: 'name',
        property: name,
        get wanted() {
          return refusals.at(0)[0]?.expectation;
        },
      });
    }),
});
