import type { BoundKeyword, EvaluationContext, SchemaNode, Verdict } from '../keyword.js';
import { defineKeyword, UNDETERMINED, VALID } from '../keyword.js';
import type { EvaluatedParts } from '../evaluated-parts.js';

/** core, 10.3.1.1 */
export const prefixItems = defineKeyword<Items>('prefixItems', {
  compile: (value, at) =>
    Array.isArray(value) ? { tuple: value.map((item, i) => at.child(item, i)) } : at.malformed('an array of schemas'),
  evaluate: applyItems,
});

/**
 * core, 10.3.1.2: the schema of all items after `prefixItems`. Up to 2019-09, `items` with an array of schemas had the
 * meaning of `prefixItems`; since 2020-12 that would be malformed, so it keeps its meaning.
 */
export const items = defineKeyword<Items>('items', {
  compile(value, at) {
    if (Array.isArray(value)) {
      if (at.node.resource.dialect.keywords.has('prefixItems'))
        at.report('legacy-keyword', 'An array in "items" is the older form of "prefixItems"; it is applied as such.');
      return { tuple: value.map((item, i) => at.child(item, i)) };
    }
    const rest = at.schemaOf(value);
    const prefix = at.sibling('prefixItems');
    return rest && { rest, start: Array.isArray(prefix) ? prefix.length : 0 };
  },
  evaluate: applyItems,
});

/** 2019-09 core, 9.3.1.2: the schema of the items after those of an array in `items`; nothing without one. */
export const additionalItems = defineKeyword<Items>('additionalItems', {
  compile(value, at) {
    const tuple = at.sibling('items');
    const rest = at.schemaOf(value);
    return Array.isArray(tuple) && rest ? { rest, start: tuple.length } : undefined;
  },
  evaluate: applyItems,
});

/** A schema for each of the first items, or one for all items from a position on. */
type Items = { readonly tuple: readonly SchemaNode[] } | { readonly rest: SchemaNode; readonly start: number };

function applyItems(
  { value }: BoundKeyword<Items>,
  instance: unknown,
  context: EvaluationContext,
  evaluated: EvaluatedParts | undefined,
): Verdict {
  if (!Array.isArray(instance)) return VALID;
  const isTuple = 'tuple' in value;
  const [start, end] = isTuple ? [0, Math.min(value.tuple.length, instance.length)] : [value.start, instance.length];
  const result = context.every(indexes(start, end), (i) => {
    const schema = isTuple ? value.tuple[i] : value.rest;
    return schema ? context.applyAt(schema, instance[i], i) : VALID;
  });
  if (evaluated && isTuple) evaluated.prefix = Math.max(evaluated.prefix, end);
  if (evaluated && !isTuple) evaluated.all = true;
  return result;
}

/** One by one: a copy of a long list would be made for each of many branches. */
function* indexes(start: number, end: number): Generator<number> {
  for (let i = start; i < end; i++) yield i;
}

/** core, 11.2 */
export const unevaluatedItems = defineKeyword<SchemaNode>('unevaluatedItems', {
  dependsOnSiblings: true,
  compile: (value, at) => at.schemaOf(value),
  evaluate({ value }, instance, context, evaluated) {
    if (!Array.isArray(instance) || !evaluated) return VALID;
    context.consume(instance.length);
    const result = context.every(instance.entries(), ([i, item]) => {
      if (evaluated.hasItem(i)) return VALID;
      if (!evaluated.uncertain) return context.conditionally(() => context.applyAt(value, item, i));
      return context.tryAt(value, item, i) === VALID ? VALID : UNDETERMINED;
    });
    evaluated.all = true;
    return result;
  },
});
