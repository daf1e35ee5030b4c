import { isObject, resolveLocalReference, walkSchemas, type JsonObject, type WorkBudget } from '../../json/index.js';

/** A part of a schema that was moved; only its annotations where it would mean something else there. */
export function carried(part: unknown, isPortable: (part: JsonObject) => boolean): unknown {
  return !isObject(part) || isPortable(part) ? part : annotationsOf(part);
}

/** The annotations of a part, without its assertions. */
export function annotationsOf(part: unknown): JsonObject {
  const { title, description } = isObject(part) ? part : {};
  return { ...(title !== undefined && { title }), ...(description !== undefined && { description }) };
}

/**
 * Returns whether a part means the same wherever it stands: all its references lead to definitions at the root, which stay
 * where they are, and there is no other document in it.
 */
export function portability(root: JsonObject, budget: WorkBudget): (part: JsonObject) => boolean {
  const known = new Map<unknown, boolean>();
  const { $defs, definitions } = root;
  const areDefinitions = holdsThroughout({ $defs, definitions }, ($ref) => toDefinition.test($ref));
  return (part) => {
    const result =
      known.get(part) ??
      holdsThroughout(
        part,
        ($ref) => areDefinitions && toDefinition.test($ref) && resolveLocalReference(root, $ref) !== undefined,
      );
    known.set(part, result);
    return result;
  };

  function holdsThroughout(part: JsonObject, mayRefer: ($ref: string) => boolean): boolean {
    for (const { schema } of walkSchemas(part, Infinity)) {
      const { $ref } = schema;
      if (!budget.consume() || identifying.some((keyword) => typeof schema[keyword] === 'string')) return false;
      if (typeof $ref === 'string' && !mayRefer($ref)) return false;
    }
    return true;
  }
}

const identifying = ['$id', 'id', '$dynamicRef', '$recursiveRef'];
const toDefinition = /^#\/(\$defs|definitions)\//;
