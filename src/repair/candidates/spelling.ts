import { grouped, pointerToken } from '../../json/index.js';
import type { SchemaHints } from '../../schema/index.js';
import type { Repair } from '../options.js';

/** Without case and separators of words. Beside a digit or at an edge, `-` and `_` say something: `-date`. */
function foldedValue(text: string): string {
  return text.trim().toLowerCase().replace(separators, '');
}

const separators = /(?<=\p{L})(?:[\s_-]+(?=\p{L})|[\s_]+(?=\p{N}))|(?<=\p{N})[\s_]+(?=\p{L})/gu;

/** A name without case and separators, those at its edges included: `from` for `_from`. */
function foldedName(text: string): string {
  return text.toLowerCase().replace(/[\s_-]+/g, '');
}

const maxLength = 200;

/** Looks up the one listed string that folds to the same text; null if several do, undefined if none does. */
function spellings(
  fold: (text: string) => string,
): (of: Iterable<unknown> & object, text: string) => string | null | undefined {
  const known = new WeakMap<object, Map<string, string | null>>();
  return (of, text) => {
    // Once for each list: it may be long, and asked for with every element.
    const found = known.get(of) ?? new Map<string, string | null>();
    for (const each of known.has(of) ? [] : of) {
      if (typeof each !== 'string' || each.length > maxLength) continue;
      const key = fold(each);
      if (key !== '') found.set(key, found.has(key) && found.get(key) !== each ? null : each);
    }
    known.set(of, found);
    return text.length > maxLength ? undefined : found.get(fold(text));
  };
}

const valueLike = spellings(foldedValue);
const nameLike = spellings(foldedName);

/**
 * The one allowed value that differs from a string in spelling only; undefined if there is none or more than one. The
 * case of a single letter has a meaning (`m`, `M`), and so has the case of two unless all values are in one case (`mW`,
 * `MW`).
 */
export function spelledLike(text: string, values: readonly unknown[]): string | undefined {
  const found = valueLike(values, text) ?? undefined;
  if (found === undefined || found === text || unitIn(found) !== unitIn(text)) return undefined;
  const { length } = foldedValue(text);
  return length === 1 || (length === 2 && !(areInOneCase(values) && areInOneCase([text]))) ? undefined : found;
}

function areInOneCase(values: readonly unknown[]): boolean {
  const texts = values.filter((value) => typeof value === 'string');
  return texts.every((each) => each === each.toLowerCase()) || texts.every((each) => each === each.toUpperCase());
}

/** Months or minutes, mega or milli: behind a number, the case of an `m` says something. */
function unitIn(text: string): string | undefined {
  return /\d[\s_]*(m)\s*$/i.exec(text)?.[1];
}

/**
 * The repairs of an object's misspelt names, each by the name that was sent and by the declared one. Two known or two sent
 * names that are alike are left alone.
 */
export function renamesIn(object: object, { properties, names, declares }: SchemaHints, at: string) {
  const alike = Object.keys(object).flatMap((from): Repair[] => {
    const to = nameLike(names(), from);
    const isMeant = to && properties().has(to) && !Object.hasOwn(object, to) && !declares(from);
    return isMeant ? [{ instanceLocation: `${at}/${pointerToken(from)}`, kind: 'name', from, to }] : [];
  });
  const groups = [...grouped(alike, ({ to }) => to).values()];
  const found = groups.flatMap(([first, ...others]) => (others.length === 0 ? [first] : []));
  return new Map(found.flatMap((each) => [each.from, each.to].map((name) => [name, each])));
}
