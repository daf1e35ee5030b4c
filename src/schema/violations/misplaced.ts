import { isObject, jsonPointer, pointerTokens, valueAt } from '../../json/index.js';
import { type Reading, viewOf } from '../reading/view.js';

/** The places of the arguments that declare a property, by its name. A place in a list has `*` for the index. */
export type DeclaredPlaces = ReadonlyMap<string, ReadonlySet<string>>;

const limits = { depth: 8, places: 5_000 };

/** Reads the whole schema, once for each refusal. Undefined if it is too large: another place may declare the name, too. */
export function declaredPlaces(reading: Reading): DeclaredPlaces | undefined {
  const found = new Map<string, Set<string>>();
  let left = limits.places;
  const read = (schema: unknown, tokens: readonly string[], trail: readonly unknown[]): void => {
    if (!isObject(schema) || trail.includes(schema)) return;
    const { schema: view, alternatives = [], followed } = viewOf(schema, reading);
    if (trail.length > limits.depth || left <= 0 || followed.some((each) => trail.includes(each))) return;
    const inner = [...trail, schema, ...followed];
    const { properties, items, oneOf, if: condition, then, else: otherwise } = view;
    for (const [name, part] of isObject(properties) ? Object.entries(properties) : []) {
      if (!reading.budget.consume() || left-- <= 0) return;
      found.set(name, (found.get(name) ?? new Set()).add(jsonPointer(tokens)));
      read(part, [...tokens, name], inner);
    }
    read(items, [...tokens, '*'], inner);
    for (const each of [alternatives, oneOf, condition, then, otherwise].flat()) read(each, tokens, inner);
  };
  read(reading.root, [], []);
  return left <= 0 || reading.budget.exhausted ? undefined : found;
}

/**
 * The only place of the schema that declares a property which was sent in another one, as a location in the arguments.
 * Undefined if several places declare it, if the property is there already, or if that place holds no object.
 */
export function rightPlace(name: string, sentIn: string, places: DeclaredPlaces, args: unknown): string | undefined {
  const [only, ...others] = places.get(name) ?? [];
  if (only === undefined || others.length > 0) return undefined;
  const [wanted, sent] = [pointerTokens(only), pointerTokens(sentIn)];
  const lists = wanted.lastIndexOf('*') + 1;
  if (!wanted.slice(0, lists).every((token, at) => (token === '*' ? /^\d+$/.test(sent[at] ?? '') : token === sent[at])))
    return undefined;
  const tokens = wanted.map((token, at) => (at < lists ? (sent[at] ?? token) : token));
  const holders = tokens.map((_, at) => valueAt(args, jsonPointer(tokens.slice(0, at))));
  const own = valueAt(args, jsonPointer(tokens));
  const isFree = own === undefined || (isObject(own) && !Object.hasOwn(own, name));
  const fits = isFree && holders.every((each) => each === undefined || isObject(each) || Array.isArray(each));
  return fits && jsonPointer(tokens) !== sentIn ? jsonPointer(tokens) : undefined;
}
