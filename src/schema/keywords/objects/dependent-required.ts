import { has, isObject, type JsonObject, member } from '../../../json/index.js';
import { type BoundKeyword, defineKeyword, type EvaluationContext } from '../keyword.js';
import { INVALID, VALID, type Verdict } from '../verdict.js';

export type Companions = readonly (readonly [name: string, required: readonly string[]])[];

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

export function companionsOf(value: JsonObject): Companions {
  return Object.keys(value).flatMap((name) => {
    const list: unknown = value[name];
    return Array.isArray(list) ? [[name, list.filter((item) => typeof item === 'string')] as const] : [];
  });
}

export function requireCompanions(
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
