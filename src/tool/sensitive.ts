import { isObject, isSecretName } from '../schema/index.js';
import { jsonPointerTokens } from './json.js';

/** What stands where a secret would; the messages of violations hide secrets by the same word. */
const hidden = '[hidden]';

/** The value at a location, with whatever stands at or beneath a secret's name hidden. */
export function withoutSecrets(value: unknown, location = ''): unknown {
  if (value !== null && jsonPointerTokens(location).some(isSecretName)) return hidden;
  return hideWithin(value, 0);
}

/** Deeper than this, nobody reads a value in a message. */
const maxDepth = 20;

function hideWithin(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) return hidden;
  if (Array.isArray(value)) return value.map((element) => hideWithin(element, depth + 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, isSecretName(name) ? hidden : hideWithin(member, depth + 1)]),
  );
}
