import { isJsonType, isList, type JsonType, member, typeOf } from '../../../json/index.js';
import { defineKeyword } from '../keyword.js';
import { INVALID, VALID } from '../verdict.js';

/** validation, 6.1.1. `nullable: true` beside it (OpenAPI 3.0) adds null, as its authors mean it. */
export const type = defineKeyword<readonly JsonType[]>({
  name: 'type',
  compile(value, at) {
    const names: readonly unknown[] = isList(value) ? value : [value];
    if (names.length === 0 || !names.every(isJsonType)) {
      return at.malformed('one of the seven type names, or a list of them');
    }
    if (names.includes('null') || member(at.schema, 'nullable') !== true) return names;
    at.report('nullable', '"nullable" is not a JSON Schema keyword; null is accepted here, as in OpenAPI.');
    return [...names, 'null'];
  },
  evaluate: ({ value }, instance) => (isOneOf(value, instance) ? VALID : INVALID),
  expected: ({ value }, instance) =>
    isUnwritable(instance) && value.includes('number') ? { kind: 'finite' } : { kind: 'types', types: value },
});

function isOneOf(types: readonly JsonType[], instance: unknown): boolean {
  if (isUnwritable(instance)) return false;
  const own = typeOf(instance);
  return types.includes(own) || (own === 'integer' && types.includes('number'));
}

/** True for a number that JSON cannot write: it is of no type. `1e400` is read as one. */
function isUnwritable(instance: unknown): boolean {
  return typeof instance === 'number' && !Number.isFinite(instance);
}
