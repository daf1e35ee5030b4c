import { isObject, pointerTokens } from '../json/index.js';
import { isSecret } from '../schema/index.js';

/** What stands where a secret would; the messages of violations hide secrets by the same word. */
const hidden = '[hidden]';

/** The value at a location, with whatever is likely to be a secret hidden: the value itself, or parts of it. */
export function withoutSecrets(value: unknown, location = ''): unknown {
  if (value !== null && isSecret(pointerTokens(location), value)) return hidden;
  return hideWithin(value, 0);
}

/** Deeper than this, nobody reads a value in a message. */
const maxDepth = 20;

function hideWithin(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) return hidden;
  if (Array.isArray(value))
    return value.map((element) => (isSecret([], element) ? hidden : hideWithin(element, depth + 1)));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      isSecret([name], member) ? hidden : hideWithin(member, depth + 1),
    ]),
  );
}
