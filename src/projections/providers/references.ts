import { filtered, isObject, isSchema, pointerTokens, resolveLocalReference } from '../../json/index.js';
import type { JsonObject, WorkBudget } from '../../json/index.js';
import { rewritten } from './rewrite.js';

/**
 * The schema with references to `$defs` alone; the targets of other references are moved there. Existing definitions
 * keep their place, so that other rewrites keep their meaning. A reference that no definition can replace is removed.
 */
export function toDefinitions(root: JsonObject, budget: WorkBudget): JsonObject {
  const nameFor = naming(isObject(root['$defs']) ? root['$defs'] : {});
  const names = new Map<string, string>();
  const { schema } = rewritten(root, { root, budget }, (part, { keyword }) => {
    const { $ref } = part;
    const isDocument = keyword !== undefined && (typeof part['$id'] === 'string' || typeof part['id'] === 'string');
    const isElsewhere = typeof $ref === 'string' && !/^#\/\$defs\/[^/]+$/.test($ref);
    if (isDocument || '$dynamicRef' in part || '$recursiveRef' in part) return annotationsOf(part);
    if (!isElsewhere) return { schema: part, isWider: false };
    if (!isSchema(resolveLocalReference(root, $ref))) return annotationsOf(part);
    const name = names.get($ref) ?? nameFor(pointerTokens($ref).at(-1));
    names.set($ref, name);
    return { schema: { ...part, $ref: `#/$defs/${name}` }, isWider: false };
  });
  const { definitions, ...own } = schema;
  if (names.size === 0) return isObject(definitions) ? own : schema;
  const itself = filtered(own, (keyword) => !ofDocument.includes(keyword));
  const target = ($ref: string) => ($ref === '#' ? itself : (resolveLocalReference(schema, $ref) ?? {}));
  const added = [...names].map(([$ref, name]) => [name, target($ref)] as const);
  const { $defs } = own;
  return { ...own, $defs: { ...(isObject($defs) && $defs), ...Object.fromEntries(added) } };
}

const ofDocument = ['$schema', '$id', 'id', '$defs'];

function naming(taken: JsonObject): (wish?: string) => string {
  const names = new Set(Object.keys(taken));
  let count = 0;
  return (wish = '') => {
    const word = /^[\w-]{1,40}$/.test(wish) ? wish : 'part';
    let name = word;
    while (names.has(name)) name = `${word}_${++count}`;
    names.add(name);
    return name;
  };
}

function annotationsOf({ title, description }: JsonObject): { schema: JsonObject; isWider: true } {
  return {
    schema: { ...(title !== undefined && { title }), ...(description !== undefined && { description }) },
    isWider: true,
  };
}
