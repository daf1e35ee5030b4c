import { has, isObject, isText, member } from '../../../json/index.js';
import { defineKeyword } from '../keyword.js';
import { INVALID, VALID, type Verdict } from '../verdict.js';

/** validation, 6.5.3. In a list with other values, only the names count. */
export const required = defineKeyword<readonly string[]>({
  name: 'required',
  compile(value, at) {
    if (!Array.isArray(value)) return at.malformed('an array of property names');
    const names = value.every(isText) ? value : value.filter(isText);
    if (names.length < value.length) {
      const message = '"required" must hold property names only; whatever else it holds is ignored.';
      at.report('malformed-keyword', message, 'error');
    }
    return names.length === 0 ? undefined : names;
  },
  evaluate(bound, instance, context) {
    if (!isObject(instance)) return VALID;
    context.consume(bound.value.length);
    let result: Verdict = VALID;
    for (const name of bound.value) {
      if (has(instance, name)) continue;
      result = INVALID;
      if (!context.collecting) break;
      const schema = member(member(bound.node.schema, 'properties'), name);
      context.report(bound, instance, { kind: 'missing', property: name, schema });
    }
    return result;
  },
});
