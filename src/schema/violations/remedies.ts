import { isObject, jsonPointer, lazy, pointerTokens, replacedAt, valueAt } from '../../json/index.js';
import type { Context, DeclaredPlaces, Said } from './context.js';

// What a text advises is tried on the arguments first.

/** The only place that declares the property, unless something there refuses its name. */
export function placeElsewhere(property: string, { received, texts, instanceLocation }: Context): string | undefined {
  const { instance } = texts;
  const declared = texts.places?.();
  const found = declared && rightPlace(property, instanceLocation, declared, instance);
  if (found === undefined) return undefined;
  const from = [...pointerTokens(instanceLocation), property];
  const to = [...pointerTokens(found), property];
  const moved = replacedAt(replacedAt(instance, from, undefined), to, valueAt(received.value, jsonPointer([property])));
  const isRefusal = (each: Said) =>
    each.instanceLocation === jsonPointer(to)
      ? each.expectation.kind === 'nothing'
      : each.instanceLocation === found && (each.property === property || each.expectation.kind === 'not');
  return texts.again?.(moved)?.some(isRefusal) === false ? found : undefined;
}

/**
 * The only place of the schema that declares a property which was sent in another one, as a location in the arguments.
 * Undefined if several places declare it, if the property is there already, or if that place holds no object.
 */
function rightPlace(name: string, sentIn: string, places: DeclaredPlaces, args: unknown): string | undefined {
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

/** Tells whether the arguments without some members are refused for nothing new, and no longer for this. */
export function waysOut({
  texts,
  instanceLocation,
}: Pick<Context, 'texts' | 'instanceLocation'>): (names: readonly string[]) => boolean {
  const keyOf = (each: Said) => [each.instanceLocation, each.expectation.kind, each.property].join('\n');
  const isThis = (each: Said) => each.instanceLocation === instanceLocation && each.expectation.kind === 'exactly-one';
  const others = () => texts.again?.(texts.instance)?.filter((each) => !isThis(each));
  const known = lazy(() => new Set(others()?.map(keyOf)));
  const place = pointerTokens(instanceLocation);
  return (names) => {
    const without = names.reduce((left, name) => replacedAt(left, [...place, name], undefined), texts.instance);
    return texts.again?.(without)?.every((each) => known().has(keyOf(each))) === true;
  };
}
