import { equals, isObject, jsonText, type JsonObject, parseJson, withMember } from '../json/index.js';

/** Each change reads the whole text: so many characters may be read for all of them. */
const mostWork = 5_000_000;

/**
 * The text of arguments with what was repaired and fixed in place; the others keep theirs, numbers beyond JavaScript's
 * included.
 *
 * @param text the arguments as they were written
 * @param args what is to be sent
 */
export function acceptedText(text: string, args: JsonObject): string {
  const written = parseJson(text);
  if (!isObject(written)) return jsonText(args);
  const changes = [...changesIn(written, args, [])];
  if (text.length * changes.length > mostWork) return jsonText(args);
  return changes.reduce(
    (sent, [path, value]) => withMember(sent, path, value === undefined ? undefined : jsonText(value)),
    text,
  );
}

/** The members that differ; a list that does is one change. */
function* changesIn(
  before: JsonObject,
  after: JsonObject,
  path: readonly string[],
): Generator<[path: readonly string[], value: unknown]> {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [own(before, name), own(after, name)];
    if (isObject(old) && isObject(now)) yield* changesIn(old, now, [...path, name]);
    // What is absent equals null where values are compared.
    else if ((old === undefined) !== (now === undefined) || !equals(old, now)) yield [[...path, name], now];
  }
}

function own(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
