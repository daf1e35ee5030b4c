import { has, isList, isObject, isText, type JsonObject, member } from '../../../json/index.js';
import type { CompileContext, Keyword, SchemaNode, Verdict } from '../keyword.js';
import { and, defineKeyword, INVALID, VALID } from '../keyword.js';

/** What the presence of a property asks for: other properties, or a schema for the whole object. */
interface Dependent {
  readonly companions: readonly (readonly [name: string, required: readonly string[]])[];
  readonly schemas: readonly (readonly [name: string, schema: SchemaNode])[];
}

/** validation, 6.5.4 */
export const dependentRequired = dependentKeyword('dependentRequired', (value, at) => {
  const isLists = isObject(value) && Object.values(value).every(Array.isArray);
  return isLists ? dependentOf(value, [], at) : at.malformed('an object of arrays of property names');
});

/** core, 10.2.2.4 */
export const dependentSchemas = dependentKeyword('dependentSchemas', (value, at) => {
  if (!isObject(value)) return at.malformed('an object of schemas');
  return { ...dependentOf(value, Object.keys(value), at), companions: [] };
});

/** draft-07 validation, 6.5.7: `dependentRequired` and `dependentSchemas` in one; later dialects leave it undefined. */
export const dependencies = dependentKeyword('dependencies', (value, at) => {
  if (!isObject(value)) return at.malformed('an object of schemas and arrays of property names');
  const named = Object.keys(value).filter((name) => !Array.isArray(value[name]));
  return dependentOf(value, named, at);
});

/** @param named the members that are schemas; of the others, lists are lists of names */
function dependentOf(value: JsonObject, named: readonly string[], at: CompileContext): Dependent {
  return {
    companions: Object.entries(value).flatMap(([name, list]) => (isList(list) ? [[name, list.filter(isText)]] : [])),
    schemas: named.map((name) => [name, at.child(value[name], name)] as const),
  };
}

function dependentKeyword(name: string, compile: Keyword<Dependent>['compile']): Keyword {
  return defineKeyword<Dependent>(name, {
    compile,
    evaluate(bound, instance, context, evaluated) {
      if (!isObject(instance)) return VALID;
      const { companions, schemas } = bound.value;
      let result: Verdict = VALID;
      for (const [name, required] of companions) {
        context.consume(1 + required.length);
        const missing = has(instance, name) ? required.filter((property) => !has(instance, property)) : [];
        for (const property of missing) {
          result = INVALID;
          if (!context.collecting) return result;
          const schema = member(member(bound.node.schema, 'properties'), property);
          context.report(bound, instance, { kind: 'missing', property, beside: name, schema });
        }
      }
      context.consume(schemas.length);
      const present = schemas.filter(([name]) => has(instance, name));
      const verdictOf = ([, schema]: (typeof present)[number]) => context.apply(schema, instance, evaluated);
      const others = context.conditionally(() => context.every(present, verdictOf));
      return and(result, others);
    },
  });
}
