import {
  filtered,
  isObject,
  listOf,
  mapSubschemas,
  walkSchemas,
  type JsonObject,
  type WorkBudget,
} from '../../json/index.js';
import type { SchemaPlace } from './provider.js';

/** One schema in other words, and whether it accepts more now. Its subschemas are done already. */
export type Rewrite = (schema: JsonObject, at: SchemaPlace) => Rewritten;

export interface Rewritten {
  readonly schema: JsonObject;
  readonly isWider: boolean;
}

/**
 * Rewrites every subschema so that the whole accepts everything that it accepted before. If a part becomes wider,
 * `not`, `if`, `oneOf` and `maxContains` around it would become narrower: they are relaxed.
 */
export function rewritten(root: JsonObject, place: Pick<SchemaPlace, 'root' | 'budget'>, rewrite: Rewrite): Rewritten {
  const once = rewrittenOnce(root, place, rewrite, false);
  // The target of a reference may be the part that became wider.
  const whole = once.isWider && hasReference(root) ? rewrittenOnce(root, place, rewrite, true) : once;
  if (!whole.isWider || !hasKeyword(whole.schema, unevaluated)) return whole;
  // If a keyword no longer evaluates a part, these keywords would reject it.
  const opened: Rewrite = (schema) => {
    const open = filtered(schema, (keyword) => !unevaluated.includes(keyword));
    return Object.keys(open).length < Object.keys(schema).length
      ? { schema: open, isWider: true }
      : { schema, isWider: false };
  };
  return rewrittenOnce(whole.schema, { ...place, root: whole.schema }, opened, hasReference(root));
}

const unevaluated: readonly string[] = ['unevaluatedProperties', 'unevaluatedItems'];
const references = ['$ref', '$dynamicRef', '$recursiveRef'];

/** By the budget of a look at a schema, which may be another one at the next look. */
const items = new WeakMap<WorkBudget, { root: JsonObject; sum: number; areEvaluated: boolean }>();

/** The sum of all `maxItems` of the whole schema, and whether a part of it asks which items others have evaluated. */
export function itemsIn({ root, budget }: SchemaPlace): { readonly sum: number; readonly areEvaluated: boolean } {
  const known = items.get(budget);
  if (known?.root === root) return known;
  const found = { root, sum: 0, areEvaluated: hasKeyword(root, ['unevaluatedItems']) };
  for (const { schema } of walkSchemas(root))
    if (typeof schema['maxItems'] === 'number') found.sum += schema['maxItems'];
  items.set(budget, found);
  return found;
}

function hasKeyword(root: unknown, keywords: readonly string[]): boolean {
  for (const { schema } of walkSchemas(root, Infinity)) if (keywords.some((keyword) => keyword in schema)) return true;
  return false;
}

export function hasReference(root: JsonObject): boolean {
  return hasKeyword(root, references);
}

const maxDepth = 200;

function rewrittenOnce(
  root: JsonObject,
  { root: document, budget }: Pick<SchemaPlace, 'root' | 'budget'>,
  rewrite: Rewrite,
  areReferencesWider: boolean,
): Rewritten {
  /** Keyed by depth, which matters to rules, and by schema, which may occur in several places. */
  const done: Map<unknown, Rewritten>[] = [];
  return visit(root, undefined, 0);

  function visit(schema: JsonObject, keyword: string | undefined, depth: number): Rewritten {
    const here = (done[depth] ??= new Map());
    const known = here.get(schema);
    if (known) return known;
    if (!budget.consume(1 + (Object.keys(schema).length >> 3))) return { schema, isWider: false };
    if (depth > maxDepth) return { schema: {}, isWider: true };
    const widened = new Set<string>();
    const inner = mapSubschemas(schema, (part, holder) => {
      // An object without keywords means the same as `true`.
      if (part === false || (part !== true && !isObject(part))) return part;
      const result = visit(part === true ? {} : part, holder, depth + 1);
      if (result.isWider) widened.add(holder);
      return part === true && Object.keys(result.schema).length === 0 ? part : result.schema;
    });
    const isReference = areReferencesWider && references.some((reference) => reference in schema);
    const own = rewrite(relaxed(inner, widened), { root: document, keyword, depth, budget });
    const result = { schema: own.schema, isWider: own.isWider || widened.size > 0 || isReference };
    here.set(schema, result);
    return result;
  }
}

const refusing: Readonly<Record<string, readonly string[]>> = {
  not: ['not'],
  oneOf: ['oneOf'],
  contains: ['maxContains'],
  if: ['if', 'then', 'else'],
};

/** Without the keywords that would refuse something because a part of them accepts more. */
function relaxed(schema: JsonObject, widened: ReadonlySet<string>): JsonObject {
  const gone = new Set([...widened].flatMap((holder) => refusing[holder] ?? []));
  if (gone.size === 0) return schema;
  const open = filtered(schema, (keyword) => !gone.has(keyword));
  if (!gone.has('oneOf')) return open;
  const { oneOf: anyOf } = schema;
  return 'anyOf' in open ? { ...open, allOf: [...listOf(open['allOf']), { anyOf }] } : { ...open, anyOf };
}
