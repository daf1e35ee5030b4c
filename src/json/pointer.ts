import { isObject } from './value.js';

/** One step of a JSON Pointer (RFC 6901, section 3). */
export function pointerToken(token: string | number): string {
  if (typeof token === 'number') return String(token);
  return token.includes('~') || token.includes('/') ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token;
}

/** The JSON Pointer made of the given steps; none is the root, ''. */
export function jsonPointer(tokens: readonly (string | number)[]): string {
  let pointer = '';
  for (const token of tokens) pointer += `/${pointerToken(token)}`;
  return pointer;
}

/** The steps of a JSON Pointer, as names (RFC 6901, section 4). */
export function pointerTokens(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => (token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token));
}

/** The member or item that one step leads to (RFC 6901, section 4); undefined where there is none. */
export function member(value: unknown, token: string): unknown {
  if (Array.isArray(value)) return /^(0|[1-9]\d{0,9})$/.test(token) ? (value[Number(token)] as unknown) : undefined;
  return isObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}

/** The value at a JSON Pointer; undefined where there is none. Inherited properties are none. */
export function valueAt(root: unknown, pointer: string): unknown {
  return follow(root, pointerTokens(pointer));
}

function follow(root: unknown, tokens: readonly string[]): unknown {
  let value = root;
  for (const token of tokens) {
    value = member(value, token);
    if (value === undefined) return undefined;
  }
  return value;
}

/**
 * The steps that a JSON Pointer in a URI's fragment names, each way of reading it, the first that leads somewhere being
 * meant. RFC 6901, section 6, undoes the percent-encoding of the whole before it is split, so that `%2F` separates; what
 * generators write as `#/$defs/a%2Fb` often means the one name `a/b`, which is the second reading.
 *
 * @param fragment begins with '/'
 */
export function fragmentReadings(fragment: string): readonly (readonly string[])[] {
  if (!fragment.includes('%')) return [pointerTokens(fragment)];
  const decoded = decodeFragment(fragment);
  if (decoded === undefined) return [];
  const whole = pointerTokens(decoded);
  if (!/%2f/i.test(fragment)) return [whole];
  return [whole, pointerTokens(fragment).map((token) => decodeFragment(token) ?? token)];
}

/** The text of a URI's fragment with its percent-encoding undone; undefined where that is malformed. */
export function decodeFragment(fragment: string): string | undefined {
  if (!fragment.includes('%')) return fragment;
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

/** What a reference such as `#/$defs/filter` points to within a document; undefined for anchors and identifiers. */
export function resolveLocalReference(root: unknown, reference: string): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  for (const tokens of fragmentReadings(reference.slice(1))) {
    const target = follow(root, tokens);
    if (target !== undefined) return target;
  }
  return undefined;
}
