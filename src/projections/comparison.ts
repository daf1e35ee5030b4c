import type { JsonObject } from '../json/index.js';
import { canonicalText, filtered, isObject, mapSubschemas, resolveLocalReference, WorkBudget } from '../json/index.js';

export type Fate = 'identical' | 'reordered' | 'annotations' | 'meaning' | 'lost';

/**
 * Compares the schema on the wire with the one that the model gets. A schema that is too deep or too large to compare
 * counts as changed, because nothing shows that the meaning is the same.
 */
export function fateOf(wire: unknown, shown: unknown): Fate {
  if (shown === undefined) return 'lost';
  if (shown === wire) return 'identical';
  // A few dozen definitions can spell out more than fits into memory.
  const budget = new WorkBudget({ steps: 100_000, ms: 200 });
  const canonical = (schema: unknown) => canonicalText(schema, (steps) => budget.consume(steps));
  const [before, after] = [canonical(wire), canonical(shown)];
  if (before === undefined || after === undefined) return 'meaning';
  if (before === after) return JSON.stringify(shown) === JSON.stringify(wire) ? 'identical' : 'reordered';
  const [asked, askedNow] = [canonical(ofArguments(wire, budget)), canonical(ofArguments(shown, budget))];
  return asked !== undefined && asked === askedNow && !budget.exhausted ? 'annotations' : 'meaning';
}

/** Arguments are an object in any case (MCP, tools/call), whether or not the root says so. */
function ofArguments(schema: unknown, budget: WorkBudget): unknown {
  const asked = assertions(schema, { root: schema, budget, path: [] });
  return isObject(asked) ? { type: 'object', ...asked } : asked;
}

const annotations: ReadonlySet<string> = new Set([
  ...['$schema', '$id', 'id', '$comment', 'title', 'description', 'default', 'examples', 'example', 'deprecated'],
  ...['readOnly', 'writeOnly', '$defs', 'definitions', 'propertyOrdering'],
]);

/**
 * A schema's assertions: without annotations, and with local references replaced by their targets, so that a peer that
 * only inlines them does not count as changing something. Recursive references stay.
 *
 * @param at.path the schemas that references led to on the way here; a chain that is too long is too large to compare
 */
function assertions(
  schema: unknown,
  at: { readonly root: unknown; readonly budget: WorkBudget; readonly path: readonly unknown[] },
): unknown {
  if (!isObject(schema) || !at.budget.consume(at.path.length > maxPath ? Infinity : 1)) return schema;
  const { $ref } = schema;
  if (typeof $ref === 'string' && Object.keys(schema).every((key) => key === '$ref' || annotations.has(key))) {
    const target = resolveLocalReference(at.root, $ref);
    if (target !== undefined && !at.path.includes(target))
      return assertions(target, { ...at, path: [...at.path, target] });
  }
  const asked = filtered(schema, (keyword, value) => !annotations.has(keyword) && !saysNothing(keyword, value));
  const { type } = schema;
  if (Array.isArray(type) && !at.budget.consume(type.length)) return schema;
  const { required, ...others } = mapSubschemas(asked, (part) => assertions(part, at));
  return { ...withTypes(others), ...(Array.isArray(required) ? { required: required.toSorted() } : {}) };
}

/** Types in one notation: OpenAPI and Gemini write `"type": "STRING", "nullable": true` for `["string", "null"]`. */
function withTypes({ nullable, ...schema }: JsonObject): JsonObject {
  const types = [schema['type'] ?? []].flat();
  if (types.length === 0) return nullable === undefined ? schema : { ...schema, nullable };
  const named = types.map((type) => (typeof type === 'string' ? type.toLowerCase() : type));
  const all = [...new Set(nullable === true ? [...named, 'null'] : named)].sort();
  return { ...schema, type: all.length === 1 ? all[0] : all };
}

const maxPath = 200;

/** True for keywords that change nothing, such as `additionalProperties: true`, `properties: {}` and `required: []`. */
function saysNothing(keyword: string, value: unknown): boolean {
  const isEmpty = isObject(value) && Object.keys(value).length === 0;
  if (keyword === 'additionalProperties') return value === true || isEmpty;
  if (keyword === 'properties') return isEmpty;
  return keyword === 'required' && Array.isArray(value) && value.length === 0;
}
