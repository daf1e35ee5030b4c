import { isObject, type JsonObject } from '../../../json/index.js';
import { type BoundKeyword, defineKeyword, type EvaluationContext, namesIn, type SchemaNode } from '../keyword.js';
import type { Pattern } from '../../patterns/pattern.js';
import { and, INVALID, UNDETERMINED, VALID, type Verdict } from '../verdict.js';

interface AdditionalProperties {
  readonly schema: SchemaNode;
  readonly names: JsonObject;
  readonly patterns: readonly Pattern[];
  /** A sibling pattern cannot be parsed: whatever no other one covers may be covered by that. */
  readonly open: boolean;
}

const none: readonly Pattern[] = [];

/** core, 10.3.2.3: the members that neither `properties` nor `patternProperties` beside it speak of. */
export const additionalProperties = defineKeyword<AdditionalProperties>({
  name: 'additionalProperties',
  compile(value, at) {
    const schema = at.schemaOf(value);
    if (!schema) return undefined;
    const names = at.sibling('properties');
    const sources = at.sibling('patternProperties');
    const declared = isObject(names) ? names : {};
    if (!isObject(sources)) return { schema, names: declared, patterns: none, open: false };
    const patterns = Object.keys(sources).map((source) => at.pattern(source));
    const readable = patterns.filter((pattern) => pattern.isReadable);
    return { schema, names: declared, patterns: readable, open: readable.length < patterns.length };
  },
  evaluate(bound, instance, context, evaluated) {
    if (!isObject(instance)) return VALID;
    const { value, node } = bound;
    const { schema } = value;
    if (schema.schema === true && !evaluated) return VALID;
    let result: Verdict = VALID;
    for (const name of namesIn(instance, context)) {
      if (Object.hasOwn(value.names, name)) continue;
      let covered: Verdict = INVALID;
      for (const pattern of value.patterns) {
        const match = context.matches(pattern, name, node, 'additionalProperties');
        if (match < covered) covered = match;
        if (covered === VALID) break;
      }
      if (covered === VALID || value.open) continue;
      evaluated?.addProperty(name);
      const declaring = { properties: value.names };
      const isUncertain = covered === UNDETERMINED;
      result = and(result, applyToRest({ bound, schema, declaring, isUncertain }, instance, name, context));
      if (context.settled(result)) break;
    }
    return result;
  },
});

interface Rest {
  readonly bound: BoundKeyword;
  /** What the member has to satisfy. */
  readonly schema: SchemaNode;
  /** The schema that declares the others. */
  readonly declaring: unknown;
  /** Whether another keyword may have evaluated the member. */
  readonly isUncertain: boolean;
}

/** Applies a schema to a member that no other keyword speaks of. */
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
