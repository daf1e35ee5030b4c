import { isJsonType, isList, type JsonType, member, typeOf } from '../../../json/index.js';
import { defineKeyword } from '../keyword.js';
import { INVALID, VALID } from '../verdict.js';

const bits: Readonly<Record<JsonType, number>> = {
  null: 1,
  boolean: 2,
  integer: 4,
  number: 4 + 8,
  string: 16,
  array: 32,
  object: 64,
};

/** validation, 6.1.1. `nullable: true` beside it (OpenAPI 3.0) adds null, as its authors mean it. */
export const type = defineKeyword<number>({
  name: 'type',
  isQuick: true,
  compile(value, at) {
    const mask = maskOf(isList(value) ? value : [value]);
    if (mask === 0) {
      at.malformed('one of the seven type names, or a list of them');
      return;
    }
    if ((mask & bits.null) !== 0 || member(at.schema, 'nullable') !== true) return mask;
    at.report('nullable', '"nullable" is not a JSON Schema keyword; null is accepted here, as in OpenAPI.');
    return mask | bits.null;
  },
  evaluate: ({ value }, instance) => ((bitOf(instance) & value) === 0 ? INVALID : VALID),
  expected: ({ value, node: { schema } }) => ({ kind: 'types', types: typesOf(schema, value) }),
});

/** 0 where anything is no type's name. */
function maskOf(names: readonly unknown[]): number {
  let mask = 0;
  for (const name of names) {
    if (!isJsonType(name)) return 0;
    mask |= bits[name];
  }
  return mask;
}

/** As they are written. */
function typesOf(schema: unknown, mask: number): readonly JsonType[] {
  const value = member(schema, 'type');
  const names = (isList(value) ? value : [value]) as readonly JsonType[]; // as it was compiled
  return (mask & bits.null) !== 0 && !names.includes('null') ? [...names, 'null'] : names;
}

/** A number with a fraction has the bit that integers lack; what JSON cannot write (`1e400` is read as it) has none. */
function bitOf(instance: unknown): number {
  switch (typeof instance) {
    case 'string':
      return 16;
    case 'number':
      return Number.isInteger(instance) ? 4 : Number.isFinite(instance) ? 8 : 0;
    case 'boolean':
      return 2;
    default:
      return bits[typeOf(instance)];
  }
}
