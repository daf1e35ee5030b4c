import { isJsonType, type JsonType, member, typeOf } from '../../../json/index.js';
import { defineKeyword } from '../keyword.js';
import { INVALID, VALID } from '../verdict.js';

interface TypeCheck {
  readonly mask: number;
  readonly types: readonly JsonType[];
}

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
export const type = defineKeyword<TypeCheck>({
  name: 'type',
  isQuick: true,
  compile(value, at) {
    const names: unknown[] = Array.isArray(value) ? value : [value];
    if (names.length === 0 || !names.every(isJsonType)) {
      at.malformed('one of the seven type names, or a list of them');
      return;
    }
    const nullable = member(at.schema, 'nullable') === true && !names.includes('null');
    if (nullable)
      at.report('nullable', '"nullable" is not a JSON Schema keyword; null is accepted here, as in OpenAPI.');
    const types: readonly JsonType[] = nullable ? [...names, 'null'] : names;
    return { types, mask: types.reduce((mask, name) => mask | bits[name], 0) };
  },
  evaluate: ({ value }, instance) => ((bitOf(instance) & value.mask) === 0 ? INVALID : VALID),
  expected: ({ value }) => ({ kind: 'types', types: value.types }),
});

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
