import { isObject, jsonPointer, pointerTokens, valueAt } from '../../json/index.js';

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
