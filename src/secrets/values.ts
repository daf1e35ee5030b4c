import { isList, isObject } from '../json/index.js';
import { isNameOfSomeKey, isSecretName } from './names.js';
import { looksRandom } from './text.js';
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

/**
 * The name of a member: its own, or that which stands beside it, as in `{"name": "Authorization", "value": "…"}` and in
 * lists of pairs, `[["authorization", "…"]]`.
 *
 * @param isListed whether what holds the member is itself an item of a list
 */
export function nameIn(holder: unknown, step: string | number, isListed: boolean): string {
  if (isListed && isList(holder) && holder.length === 2 && Number(step) === 1) {
    if (typeof holder[0] === 'string') return holder[0];
  } else if ((step === 'value' || step === 'values') && isObject(holder)) {
    const { name, key, header, field } = holder;
    for (const beside of [name, key, header, field]) if (typeof beside === 'string') return beside;
  }
  return String(step);
}

/** The names that lead to a value, as {@link nameIn} tells them. */
export function namesTo(root: unknown, path: readonly (string | number)[]): string[] {
  const names: string[] = [];
  let holder = root;
  let isListed = false;
  for (const step of path) {
    names.push(nameIn(holder, step, isListed));
    isListed = isList(holder);
    const members = holder as Record<string, unknown>; // of a list as well, where it is one of these
    holder = (isListed || isObject(holder)) && Object.hasOwn(members, step) ? members[step] : undefined;
  }
  return names;
}

/** Characters that are looked for of one call: its arguments may be large, and are a model's. */
const mostCharacters = 50_000;
const deepest = 20;

/**
 * Of a call's arguments, what must not appear in an error: all of those that are to be hidden whatever they are, and
 * what is likely to be a secret.
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
  isListed = false,
): Generator<string> {
  if (path.length > deepest) return;
  if (typeof value === 'string' || typeof value === 'number') {
    if (isHidden(path, value)) yield String(value);
  } else if (isList(value) || isObject(value)) {
    for (const [step, member] of Object.entries(value)) {
      if (isObject(value) && isSecret(path, step)) yield step;
      yield* secretsWithin(member, isHidden, [...path, nameIn(value, step, isListed)], isList(value));
    }
  }
}
