import { isList, isObject, type JsonObject, resolveLocalReference, subschemasIn, type Work } from '../../json/index.js';
import type { DialectDefinition } from '../dialects/index.js';

/** What a schema stands in. */
export interface Surroundings {
  readonly root: unknown;
  readonly dialect: DialectDefinition;
  /** What looking through it may take. */
  readonly work: Work;
}

/** The schema `false`, as an object. */
const nothing: JsonObject = { enum: [] };

/** The keywords that the dialect knows, of schemas that apply to one value together and of those that they lead to. */
export function* appliedParts(schemas: readonly unknown[], surroundings: Surroundings): Generator<JsonObject> {
  const { root, dialect, work } = surroundings;
  const waiting = [...schemas];
  const seen = new Set<unknown>();
  for (let part = waiting.shift(); part !== undefined && work.spend(1); part = waiting.shift()) {
    if (part === false) yield nothing;
    if (!isObject(part) || seen.has(part)) continue;
    seen.add(part);
    if (isForeign(part, root)) continue;
    const { $ref, allOf, not: denied } = part;
    if (typeof $ref === 'string') {
      waiting.push(resolveLocalReference(root, $ref) ?? true);
      if (dialect.refHidesSiblings) continue;
    }
    if (denied === true || (isObject(denied) && Object.keys(denied).length === 0)) yield nothing;
    yield knownOf(part, surroundings);
    if (isList(allOf)) for (const each of allOf) if (work.spend(1)) waiting.push(each);
  }
}

/** Within a resource of its own, references lead elsewhere. */
function isForeign(part: JsonObject, root: unknown): boolean {
  return part !== root && (typeof part['$id'] === 'string' || typeof part['id'] === 'string');
}

function knownOf(part: JsonObject, { dialect, work }: Surroundings): JsonObject {
  work.spend(Object.keys(part).length >> 4);
  const isKnown = (keyword: string) => dialect.keywords.has(keyword) || keyword === 'nullable';
  return Object.fromEntries(Object.entries(part).filter(([keyword]) => isKnown(keyword)));
}

const inPlace: ReadonlySet<string> = new Set([
  ...['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas', 'dependencies'],
]);

/** Where these stand, any member may be evaluated; the last one does it for a value's whole. */
const opening = ['additionalProperties', 'patternProperties', '$dynamicRef', '$recursiveRef'];

/** The names that a schema with `unevaluatedProperties: false` may evaluate; undefined where they may be any. */
export function evaluatedNames(schema: JsonObject, { root, work }: Surroundings): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  const waiting: unknown[] = [schema];
  const seen = new Set<unknown>();
  while (waiting.length > 0) {
    if (!work.spend(1)) return undefined;
    const part = waiting.pop();
    if (part === undefined) return undefined;
    if (!isObject(part) || seen.has(part)) continue;
    seen.add(part);
    const isOpen = opening.some((keyword) => Object.hasOwn(part, keyword));
    const isOther = part !== schema && (isForeign(part, root) || Object.hasOwn(part, 'unevaluatedProperties'));
    if (isOpen || isOther) return undefined;
    const { $ref, properties } = part;
    if (typeof $ref === 'string') waiting.push(resolveLocalReference(root, $ref));
    for (const name of isObject(properties) ? Object.keys(properties) : []) {
      if (!work.spend(1)) return undefined;
      names.add(name);
    }
    for (const each of subschemasIn(part)) if (inPlace.has(each.keyword)) waiting.push(each.schema);
  }
  return names;
}
