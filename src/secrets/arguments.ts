import { isObject } from '../json/index.js';
import type { Secret } from './mask.js';
import { isSecret } from './values.js';

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
  yield* secretsIn(hidden, [], true, room);
  yield* secretsIn(args, [], false, room);
}

function* secretsIn(
  value: unknown,
  path: readonly string[],
  isHidden: boolean,
  room: { left: number },
): Generator<Secret> {
  if (room.left <= 0 || path.length > deepest) return;
  if (Array.isArray(value)) for (const item of value) yield* secretsIn(item, path, isHidden, room);
  else if (isObject(value))
    for (const name of Object.keys(value)) yield* secretsIn(value[name], [...path, name], isHidden, room);
  else if ((typeof value === 'string' || typeof value === 'number') && (isHidden || isSecret(path, value))) {
    room.left--;
    yield String(value).slice(0, longestValue);
  }
}
