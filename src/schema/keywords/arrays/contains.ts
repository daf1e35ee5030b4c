import { compileCount, defineKeyword, type Keyword, type SchemaNode, silentKeyword } from '../keyword.js';
import { UNDETERMINED, VALID } from '../verdict.js';

interface Contains {
  readonly schema: SchemaNode;
  readonly min: number;
  readonly max: number;
}

/** draft-06 validation, 6.14; in 2019-09 with `minContains` and `maxContains`. */
export const contains = containsKeyword(false);

/** 2020-12 core, 10.3.1.3: the items that match count as evaluated. */
export const annotatedContains = containsKeyword(true);

/** Read by `contains` (validation, 6.4.5). */
export const minContains = silentKeyword('minContains', compileCount);

/** Read by `contains` (validation, 6.4.4). */
export const maxContains = silentKeyword('maxContains', compileCount);

function containsKeyword(annotates: boolean): Keyword {
  return defineKeyword<Contains>({
    name: 'contains',
    compile(value, at) {
      const schema = at.schemaOf(value);
      if (!schema) return undefined;
      return { schema, min: count(at.sibling('minContains')) ?? 1, max: count(at.sibling('maxContains')) ?? Infinity };
    },
    evaluate(bound, instance, context, evaluated) {
      if (!Array.isArray(instance)) return VALID;
      const { schema, min, max } = bound.value;
      let certain = 0;
      let open = 0;
      for (let i = 0; i < instance.length; i++) {
        const verdict = context.tryAt(schema, instance[i], i);
        if (verdict === VALID) {
          certain++;
          if (annotates) evaluated?.addItem(i);
        } else if (verdict === UNDETERMINED) {
          open++;
          if (annotates && evaluated) evaluated.uncertain = true;
        }
        if (certain > max || (certain >= min && max === Infinity && !evaluated)) break;
      }
      const wanted = { kind: 'contains', schema: schema.schema } as const;
      if (certain + open < min) {
        return context.report(bound, instance, { ...wanted, bound: 'at least', count: min });
      }
      if (certain > max) return context.report(bound, instance, { ...wanted, bound: 'at most', count: max });
      return certain >= min && certain + open <= max ? VALID : UNDETERMINED;
    },
  });
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined;
}
