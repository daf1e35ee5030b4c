import { isObject } from '../json/index.js';
import type { Secret } from './mask.js';
import { isSecret, nameIn } from './values.js';

/** Of one call, so much is looked for in what its server then says: its arguments may be large, and are a model's. */
const mostValues = 200;
const longestValue = 2_000;
const deepest = 20;

/**
 * Of a call's arguments, what must not appear in an error: what is likely to be a secret, and all of those that are to
 * be hidden whatever they are.
 */
export function* argumentSecrets(
  args: Readonly<Record<string, unknown>>,
  hidden: Readonly<Record<string, unknown>> = {},
): Generator<Secret> {
  const room = { left: mostValues };
  yield* secretsIn(hidden, [], true, room, false);
  yield* secretsIn(args, [], false, room, false);
}

function* secretsIn(
  value: unknown,
  path: readonly string[],
  isHidden: boolean,
  room: { left: number },
  isListed: boolean,
): Generator<Secret> {
  if (room.left <= 0 || path.length > deepest) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      yield* secretsIn(item, [...path, nameIn(value, index, isListed)], isHidden, room, true);
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) {
      if (isSecret(path, name)) yield name.slice(0, longestValue);
      yield* secretsIn(value[name], [...path, nameIn(value, name, false)], isHidden, room, false);
    }
  } else if ((typeof value === 'string' || typeof value === 'number') && (isHidden || isSecret(path, value))) {
    room.left--;
    yield String(value).slice(0, longestValue);
  }
}
