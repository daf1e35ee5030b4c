import { has, isObject, type JsonObject } from '../../json/index.js';
import type { EvaluatedParts } from '../evaluated.js';
import { type Clause, defineKeyword } from '../keyword.js';
import type { SchemaNode } from '../node.js';
import type { Run } from '../run.js';
import { and, VALID, type Verdict } from '../verdict.js';

export type ConditionalSchemas = readonly (readonly [name: string, schema: SchemaNode])[];

/** core, 10.2.2.4 */
export const dependentSchemas = defineKeyword<ConditionalSchemas>({
  name: 'dependentSchemas',
  subschemas: 'members',
  compile(value, at) {
    if (!isObject(value)) {
      at.malformed('an object of schemas');
      return;
    }
    return Object.keys(value).map((name) => [name, at.child(value[name], name)] as const);
  },
  evaluate: (clause, instance, run, evaluated) =>
    isObject(instance) ? applyWherePresent(clause, clause.value, instance, run, evaluated) : VALID,
});

export function applyWherePresent(
  clause: Clause,
  schemas: ConditionalSchemas,
  instance: JsonObject,
  run: Run,
  evaluated: EvaluatedParts | undefined,
): Verdict {
  let result = run.charge(schemas.length, clause, VALID);
  for (const [name, schema] of schemas) {
    if (!has(instance, name)) continue;
    result = and(result, run.apply(schema, instance, evaluated));
    if (run.settled(result)) break;
  }
  return result;
}
