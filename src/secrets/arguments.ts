import { isList, isObject } from '../json/index.js';
import { isSecret, nameIn } from './values.js';

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
