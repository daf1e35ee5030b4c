import { compileSchema, evaluate } from '../../src/schema/index.js';
import { mutations } from '../schema/mutate.js';
import { synthesise } from '../schema/synthesise.js';

/**
 * The arguments on which two schemas disagree, out of some made from the first: ones it is likely to accept, and their
 * neighbours. Both are read in the first one's dialect.
 */
export function disagreements(original: object, told: object): { accepted: unknown[]; refused: unknown[] } {
  const compiled = compileSchema(original);
  const other = compileSchema({ ...told, $schema: undefined }, { defaultDialect: compiled.dialect });
  const full = synthesise(original, { optional: true });
  const accepted: unknown[] = [];
  const refused: unknown[] = [];
  for (const instance of [full, synthesise(original, { optional: false }), ...mutations(full, 8)]) {
    const { outcome } = evaluate(compiled, instance);
    if (outcome === 'undetermined' || outcome === evaluate(other, instance).outcome) continue;
    (outcome === 'valid' ? refused : accepted).push(instance);
  }
  return { accepted, refused };
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
