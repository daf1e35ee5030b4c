import { isObject, jsonPointer, pointerTokens, propertiesOf, valueAt, type WorkBudget } from '../../json/index.js';
import type { SchemaNode } from '../keywords/keyword.js';
import { applicableSchemas, partsIn, schemasAt } from '../evaluate/applicable-schemas.js';

/** The places of the arguments that declare a property, by its name. A place in a list or a map has `*` for the key. */
export type DeclaredPlaces = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The only place of the schema that declares a property which was sent in another one, as a location in the arguments.
 * Undefined if several places declare it, if the property is there already, or if that place holds no object.
 */
export function rightPlace(name: string, sentIn: string, places: DeclaredPlaces, args: unknown): string | undefined {
  const [only, ...others] = places.get(name) ?? [];
  if (only === undefined || others.length > 0) return undefined;
  const [wanted, sent] = [pointerTokens(only), pointerTokens(sentIn)];
  const lists = wanted.lastIndexOf('*') + 1;
  if (!wanted.slice(0, lists).every((token, at) => (token === '*' ? sent[at] !== undefined : token === sent[at])))
    return undefined;
  const tokens = wanted.map((token, at) => (at < lists ? (sent[at] ?? token) : token));
  const holders = tokens.map((_, at) => valueAt(args, jsonPointer(tokens.slice(0, at))));
  const own = valueAt(args, jsonPointer(tokens));
  const isFree = own === undefined || (isObject(own) && !Object.hasOwn(own, name));
  const fits = isFree && holders.every((each) => each === undefined || isObject(each) || Array.isArray(each));
  return fits && jsonPointer(tokens) !== sentIn ? jsonPointer(tokens) : undefined;
}

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
    const within = (name: string) => all.flatMap((node) => schemasAt(name, node));
    const names = all.flatMap(({ schema }) => Object.keys(propertiesOf(schema)));
    for (const name of new Set(names)) {
      if (!budget.consume() || left-- <= 0) return;
      found.set(name, (found.get(name) ?? new Set()).add(jsonPointer(tokens)));
      if (isNew) read(within(name), [...tokens, name], inner);
    }
    const parts = isNew ? all.flatMap((node) => partsIn(node, forMany)) : [];
    if (parts.length > 0) read(parts, [...tokens, '*'], inner);
  };
  read([root], [], new Set());
  return left <= 0 || budget.exhausted ? undefined : found;
}
