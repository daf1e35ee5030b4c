import type { Keyword, SchemaNode } from '../keyword.js';
import { compileCount, defineKeyword, isCount, silentKeyword, UNDETERMINED, VALID } from '../keyword.js';
import { canonical } from '../values.js';

/** draft-06 validation, 6.14; in 2019-09 with `minContains` and `maxContains`. */
export const contains = containsKeyword(false);

/** 2020-12 core, 10.3.1.3: the items that match count as evaluated. */
export const annotatedContains = containsKeyword(true);

/** Read by `contains` (validation, 6.4.5 and 6.4.4). */
export const minContains = silentKeyword('minContains', compileCount);
export const maxContains = silentKeyword('maxContains', compileCount);

function containsKeyword(annotates: boolean): Keyword {
  return defineKeyword<{ readonly schema: SchemaNode; readonly min: number; readonly max: number }>('contains', {
    compile(value, at) {
      const schema = at.schemaOf(value);
      const [min, max] = [at.sibling('minContains'), at.sibling('maxContains')];
      return schema && { schema, min: isCount(min) ? min : 1, max: isCount(max) ? max : Infinity };
    },
    evaluate(bound, instance, context, evaluated) {
      if (!Array.isArray(instance)) return VALID;
      const { schema, min, max } = bound.value;
      let certain = 0;
      let open = 0;
      for (let i = 0; i < instance.length; i++) {
        const verdict = context.tryAt(schema, instance[i], i);
        if (verdict === VALID) certain++;
        if (verdict === UNDETERMINED) open++;
        if (annotates && verdict === VALID) evaluated?.indexes.add(i);
        if (annotates && verdict === UNDETERMINED && evaluated) evaluated.uncertain = true;
        if (certain > max || (certain >= min && max === Infinity && !evaluated)) break;
      }
      const report = (limit: 'at least' | 'at most', count: number) =>
        context.report(bound, instance, { kind: 'contains', schema: schema.schema, bound: limit, count });
      if (certain + open < min) return report('at least', min);
      if (certain > max) return report('at most', max);
      return certain >= min && certain + open <= max ? VALID : UNDETERMINED;
    },
  });
}

/** validation, 6.4.3. Compares canonical texts, so that the cost grows with the items, not with their square. */
export const uniqueItems = defineKeyword<true>('uniqueItems', {
  compile: (value, at) => (typeof value === 'boolean' ? value || undefined : at.malformed('a boolean')),
  evaluate(bound, instance, context) {
    if (!Array.isArray(instance) || instance.length < 2) return VALID;
    const seen = { plain: new Map<unknown, number>(), composite: new Map<unknown, number>() };
    context.consume(instance.length);
    for (const [i, item] of (instance as readonly unknown[]).entries()) {
      const isComposite = typeof item === 'object' && item !== null;
      const key = isComposite ? canonical(item, context, bound.node, 'uniqueItems') : (item ?? null);
      if (key === undefined) return UNDETERMINED;
      const known = isComposite ? seen.composite : seen.plain;
      const equal = known.get(key);
      if (equal !== undefined) return context.report(bound, instance, { kind: 'unique', equal: [equal, i] });
      known.set(key, i);
    }
    return VALID;
  },
});
