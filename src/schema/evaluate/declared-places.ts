import { isObject, jsonPointer, type WorkBudget } from '../../json/index.js';
import type { SchemaNode } from '../keywords/keyword.js';
import type { DeclaredPlaces } from '../violations/context.js';
import { applicableSchemas, partsIn, schemasAt } from './applicable-schemas.js';

const limits = { depth: 8, places: 5_000 };

const forMany =
  'items prefixItems additionalItems contains unevaluatedItems additionalProperties patternProperties unevaluatedProperties'.split(
    ' ',
  );

/** Reads the whole schema. Undefined if it is too large: another place may declare a name, too. */
export function declaredPlaces(root: SchemaNode, budget: WorkBudget): DeclaredPlaces | undefined {
  const found = new Map<string, Set<string>>();
  let left = limits.places;
  const read = (nodes: readonly SchemaNode[], tokens: readonly string[], trail: ReadonlySet<unknown>): void => {
    const all = applicableSchemas(nodes);
    if (!budget.consume(all.length)) return;
    const isNew = all.some(({ schema }) => !trail.has(schema)) && tokens.length <= limits.depth;
    const inner = new Set([...trail, ...all.map(({ schema }) => schema)]);
    const names = all.flatMap(({ schema: { properties } }) => (isObject(properties) ? Object.keys(properties) : []));
    for (const name of new Set(names)) {
      if (!budget.consume() || left-- <= 0) return;
      found.set(name, (found.get(name) ?? new Set()).add(jsonPointer(tokens)));
      const members = isNew ? all.flatMap((node) => schemasAt(name, node)) : [];
      if (isNew) read(members, [...tokens, name], inner);
    }
    const parts = isNew ? all.flatMap((node) => partsIn(node, forMany)) : [];
    if (parts.length > 0) read(parts, [...tokens, '*'], inner);
  };
  read([root], [], new Set());
  return left <= 0 || budget.exhausted ? undefined : found;
}
