import { isList, isObject } from '../json/index.js';
import { looksRandom } from './in-text.js';
import { isNameOfSomeKey, isSecretName } from './names.js';
import { isHarmless, startsAsToken } from './tokens.js';

/**
 * Whether a value is likely to be a secret, or part of one: by the names on the way to it, by its own shape, or because
 * it looks random under the name of some key. What can only be true or false gives nothing away.
 *
 * @param path the names and indexes that lead to the value
 */
export function isSecret(path: readonly (string | number)[], value: unknown): boolean {
  if (typeof value === 'boolean' || value === null || value === undefined) return false;
  const names = path.filter((step) => typeof step === 'string');
  if (names.some(isSecretName)) return true;
  if (typeof value !== 'string' || isHarmless(value)) return false;
  return startsAsToken.test(value.slice(0, 500)) || (looksRandom(value) && isNameOfSomeKey(names.at(-1) ?? ''));
}

/** The name of a member: its own, or the one that stands beside it, as in `{"name": "Authorization", "value": "…"}`. */
export function nameIn(holder: unknown, step: string | number): string {
  if ((step !== 'value' && step !== 'values') || !isObject(holder)) return String(step);
  const { name, key, header, field } = holder;
  return [name, key, header, field].find((beside) => typeof beside === 'string') ?? step;
}

/** The names that lead to a value, see {@link nameIn}. */
export function namesTo(root: unknown, path: readonly (string | number)[]): string[] {
  let holder = root;
  return path.map((step) => {
    const name = nameIn(holder, step);
    const members = holder as Record<string, unknown>; // a list as well, where it is one of the two
    holder = (isList(holder) || isObject(holder)) && Object.hasOwn(members, step) ? members[step] : undefined;
    return name;
  });
}

/** Characters that are looked for of one call: its arguments may be large, and are a model's. */
const mostCharacters = 50_000;
const deepest = 20;

/**
 * The values in a call's arguments that must not appear in an error.
 *
 * @param hidden arguments of which every value counts
 */
export function* argumentSecrets(
  args: Readonly<Record<string, unknown>>,
  hidden: Readonly<Record<string, unknown>> = {},
): Generator<string> {
  let left = mostCharacters;
  for (const secrets of [secretsWithin(hidden, () => true), secretsWithin(args, isSecret)]) {
    for (const secret of secrets) {
      // Never a part of a value, which would leave the rest of it to be read.
      if (secret.length > left) continue;
      left -= secret.length;
      yield secret;
    }
  }
}

/** The texts and numbers of a JSON value that are to be hidden, and the names in it that look like secrets. */
export function* secretsWithin(
  value: unknown,
  isHidden: (path: readonly string[], value: unknown) => boolean,
  path: readonly string[] = [],
): Generator<string> {
  if (path.length > deepest) return;
  if (typeof value === 'string' || typeof value === 'number') {
    if (isHidden(path, value)) yield String(value);
  } else if (isList(value) || isObject(value)) {
    for (const [step, member] of Object.entries(value)) {
      if (isObject(value) && isSecret(path, step)) yield step;
      yield* secretsWithin(member, isHidden, [...path, nameIn(value, step)]);
    }
  }
}

/** Levels of a copy: JSON of a server may nest deeper than a stack. */
const mostLevels = 100;

/**
 * A copy of a JSON value.
 *
 * @param shown gives the copy of a value, by its name; where it returns the value itself, the members are copied. Called
 *   for the names of members as well.
 */
export function copyWith(
  value: unknown,
  shown: (value: unknown, name: string) => unknown,
  name = '',
  level = 0,
): unknown {
  const own = shown(value, name);
  if (own !== value || !(isList(value) || isObject(value))) return own;
  if (level === mostLevels) return '…';
  const members = Object.entries(value).map(([step, member]): [string, unknown] => [
    String(shown(step, '')),
    copyWith(member, shown, nameIn(value, step), level + 1),
  ]);
  return isList(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
}
