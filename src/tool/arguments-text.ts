import {
  equals,
  isObject,
  jsonPointer,
  jsonText,
  type JsonObject,
  parseJson,
  pointerTokens,
  valueAt,
  withMember,
} from '../json/index.js';
import type { Repair } from '../repair/index.js';
import type { FixedArguments } from './fixed-arguments.js';

/** Each change reads the whole text: so many characters may be read for all of them. */
const mostWork = 5_000_000;

/**
 * The text of arguments with what was repaired and fixed in place; the others keep theirs, numbers beyond JavaScript's
 * included.
 *
 * @param text the arguments as they were written
 * @param args what is to be sent
 */
export function acceptedText(
  text: string,
  args: JsonObject,
  { repairs, fixed = {} }: { repairs: readonly Repair[]; fixed?: FixedArguments | undefined },
): string {
  const written = parseJson(text);
  if (repairs.length === 0 && Object.keys(fixed).length === 0) return text;
  // What is in a list, or renamed, is written anew with all the rest.
  const isShort = text.length * (repairs.length + Object.keys(fixed).length) <= mostWork;
  const isPlaced = ({ kind, instanceLocation }: Repair) =>
    kind !== 'name' &&
    pointerTokens(instanceLocation).every((_, depth, path) =>
      isObject(valueAt(args, jsonPointer(path.slice(0, depth)))),
    );
  if (!isShort || !isObject(written) || !repairs.every(isPlaced)) return jsonText(args);
  const gone = Object.keys(written).filter((name) => !Object.hasOwn(args, name));
  const placed: [readonly string[], unknown][] = [
    ...Object.entries(fixed).map(([name, value]): [string[], unknown] => [[name], value]),
    ...gone.map((name): [string[], unknown] => [[name], undefined]),
    ...repairs.map(({ instanceLocation, to }): [string[], unknown] => [pointerTokens(instanceLocation), to]),
  ];
  const sent = placed.reduce(
    (current, [path, value]) => withMember(current, path, value === undefined ? undefined : jsonText(value)),
    text,
  );
  return equals(parseJson(sent), args) ? sent : jsonText(args);
}
