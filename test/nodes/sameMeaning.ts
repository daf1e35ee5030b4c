import { compileSchema, evaluate } from '../../src/schema/index.js';
import { mutations } from '../schema/mutate.js';
import { synthesise } from '../schema/synthesise.js';

/**
 * The arguments on which a schema and what is told of it disagree, out of some made from the schema: ones it is likely
 * to accept, and their neighbours. Both are read in the dialect of the schema, and what is told in words counts.
 */
export function disagreements(original: object, told: object): unknown[] {
  const compiled = compileSchema(original);
  const other = compileSchema({ ...told, ...inWords(told), $schema: undefined }, { defaultDialect: compiled.dialect });
  const full = synthesise(original, { optional: true });
  return [full, synthesise(original, { optional: false }), ...mutations(full, 8)].filter((instance) => {
    const { outcome } = evaluate(compiled, instance);
    return outcome !== 'undetermined' && outcome !== evaluate(other, instance).outcome;
  });
}

/** The schema that a description spells out, as a keyword. */
export function inWords(told: { description?: unknown }): { allOf: unknown[] } | undefined {
  const [, json] = /Must also match this JSON Schema: (.*)$/.exec(String(told.description)) ?? [];
  return json === undefined ? undefined : { allOf: [JSON.parse(json)] };
}

/** A schema without what says nothing, neither of values nor to a reader: empty keywords, alternatives of one, order. */
export function bare(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(bare);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema).filter(([keyword, value]) => !saysNothing(keyword, value));
  const [first] = members;
  if (first?.[0] === 'anyOf' && members.length === 1 && Array.isArray(first[1]) && first[1].length === 1) return bare(first[1][0]);
  return Object.fromEntries(members.map(([key, value]) => [key, key === 'required' && Array.isArray(value) ? value.toSorted() : bare(value)]));
}

function saysNothing(keyword: string, value: unknown): boolean {
  switch (keyword) {
    case '$schema':
      return true;
    case 'required':
      return JSON.stringify(value) === '[]';
    case 'properties':
      return JSON.stringify(value) === '{}';
    case 'additionalProperties':
      return value === true || JSON.stringify(value) === '{}';
    case 'propertyNames':
      return JSON.stringify(value) === '{"type":"string"}';
    default:
      return false;
  }
}
