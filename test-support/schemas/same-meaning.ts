import { isDeepStrictEqual } from 'node:util';
import { compileSchema, evaluate } from '../../src/schema/index.js';
import { mutations } from './mutate.js';
import { synthesise } from './synthesise.js';

/**
 * The arguments on which a schema and its converted form disagree, among arguments made from the schema: some that it
 * probably accepts, and their neighbours. Both are read in the schema's dialect; conditions in descriptions count.
 */
export function disagreements(original: object, told: object): unknown[] {
  const compiled = compileSchema(original);
  const other = compileSchema({ ...told, ...inWords(told), $schema: undefined }, { defaultDialect: compiled.dialect });
  const full = synthesise(original, { optional: true });
  return [full, synthesise(original, { optional: false }), ...mutations(full, 8)].filter((instance) => {
    const { outcome } = evaluate(compiled, instance, unhurried);
    return outcome !== 'undetermined' && outcome !== evaluate(other, instance, unhurried).outcome;
  });
}

/** V8's watchdog watches risky patterns, and its clock is the machine's. */
const unhurried = { budget: { patternMs: 60_000 } };

/** The schema in a description, as a keyword. */
export function inWords(told: { description?: unknown }): { allOf: unknown[] } | undefined {
  const [, json] = /Must also match this JSON Schema: (.*)$/.exec(String(told.description)) ?? [];
  return json === undefined ? undefined : { allOf: [JSON.parse(json)] };
}

/** A schema without meaningless parts: empty keywords, single alternatives, order. */
export function bare(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(bare);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema).filter(([keyword, value]) => !saysNothing(keyword, value));
  const [first] = members;
  if (first?.[0] === 'anyOf' && members.length === 1 && Array.isArray(first[1]) && first[1].length === 1)
    return bare(first[1][0]);
  return Object.fromEntries(
    members.map(([key, value]) => [key, key === 'required' && Array.isArray(value) ? value.toSorted() : bare(value)]),
  );
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
    case 'items':
      return JSON.stringify(value) === '{}';
    case 'propertyNames':
      return JSON.stringify(value) === '{"type":"string"}';
    default:
      return false;
  }
}

/** How the schema at a node that knows only Zod differs from the wire's; `$schema` is ignored. */
export function fateOf(original: object, told: object): string {
  const [wire, result] = [withoutDialect(original), withoutDialect(told)];
  if (JSON.stringify(result) === JSON.stringify(wire)) return 'identical but for $schema';
  if (isDeepStrictEqual(result, wire)) return 'equal as JSON';
  if (isDeepStrictEqual(bare(result), bare(wire))) return 'said at greater length';
  if (inWords(result)) return 'combinations at the root told in words';
  if (JSON.stringify(wire).includes('"$ref"')) return 'references put in place';
  const left = Object.keys(wire).filter((keyword) => !(keyword in result));
  const rest = Object.fromEntries(Object.entries(wire).filter(([keyword]) => !left.includes(keyword)));
  return isDeepStrictEqual(bare(result), bare(rest))
    ? `annotations at the root left out: ${left.join(', ')}`
    : 'changed';
}

function withoutDialect(schema: object): object {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== '$schema'));
}

/** All recorded tools, converted to Zod types and back to JSON Schema draft-07. */
export const fatesOfAll = {
  'identical but for $schema': 1082,
  'equal as JSON': 247,
  'said at greater length': 1613,
  'references put in place': 65,
  'combinations at the root told in words': 14,
  'annotations at the root left out: x-content-type': 102,
};
