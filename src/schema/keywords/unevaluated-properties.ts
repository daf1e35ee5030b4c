import { isObject, type JsonObject } from '../../json/index.js';
import { defineKeyword } from '../keyword.js';
import type { SchemaNode } from '../node.js';
import { unwantedProperty } from '../violations/unwanted.js';
import { and, UNDETERMINED, VALID, type Verdict } from '../verdict.js';

/** core, 11.3 */
export const unevaluatedProperties = defineKeyword<SchemaNode>({
  name: 'unevaluatedProperties',
  subschemas: 'value',
  dependsOnSiblings: true,
  compile: (value, at) => at.schemaOf(value),
  evaluate(clause, instance, run, evaluated) {
    if (!isObject(instance) || !evaluated) return VALID;
    const { value: schema } = clause;
    const names = Object.keys(instance);
    let result = run.charge(names.length, clause, VALID);
    for (const name of names) {
      if (instance[name] === undefined || evaluated.hasProperty(name)) continue;
      let verdict: Verdict;
      if (evaluated.uncertain) {
        verdict = run.tryAt(schema, instance[name], name).verdict === VALID ? VALID : UNDETERMINED;
      } else if (schema.schema === false) {
        verdict = run.report(clause, instance, unwantedProperty(name, declared(clause.node.schema)));
      } else {
        verdict = run.applyAt(schema, instance[name], name);
      }
      result = and(result, verdict);
      if (run.settled(result)) break;
    }
    evaluated.addAll();
    return result;
  },
});

/** The names beside the keyword, for a hint at the one that was meant. */
function declared(schema: unknown): JsonObject {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  return isObject(properties) ? properties : {};
}
