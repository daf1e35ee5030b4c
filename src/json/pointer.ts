import { isList, isObject } from './value.js';

export function pointerToken(token: string | number): string {
  if (typeof token === 'number') return String(token);
  return token.includes('~') || token.includes('/') ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token;
}

export function jsonPointer(tokens: readonly (string | number)[]): string {
  let pointer = '';
  for (const token of tokens) pointer += `/${pointerToken(token)}`;
  return pointer;
}

export function pointerTokens(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => (token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token));
}

export function member(value: unknown, token: string): unknown {
  if (Array.isArray(value)) return /^(0|[1-9]\d{0,9})$/.test(token) ? (value[Number(token)] as unknown) : undefined;
  return isObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}

export function valueAt(root: unknown, pointer: string): unknown {
  return follow(root, pointerTokens(pointer));
}

function follow(root: unknown, tokens: readonly string[]): unknown {
  return tokens.reduce((value, token) => member(value, token), root);
}

/** The location of the value that holds the one at a location. */
export function holderOf(location: string): string {
  return location.slice(0, location.lastIndexOf('/'));
}

/** True if a location is another one or lies within it. */
export function isWithin(location: string, ancestor: string): boolean {
  return location.startsWith(ancestor) && (location.length === ancestor.length || location[ancestor.length] === '/');
}

/** A location and the locations of all values that hold it, the nearest first. */
export function withHolders(location: string): string[] {
  return location === '' ? [location] : [location, ...withHolders(holderOf(location))];
}

/** A copy of the value with another one at a place; `undefined` leaves the member out. Objects on the way are made. */
export function replacedAt(value: unknown, [token, ...inner]: readonly string[], to: unknown): unknown {
  if (token === undefined) return to;
  const copy = isList(value) ? value.slice() : { ...(isObject(value) ? value : {}) };
  put(copy, token, replacedAt(member(value, token), inner, to));
  return copy;
}

/** Assigns; `undefined` deletes. __proto__ is defined, since an assignment could set the prototype. */
export function put(holder: object, key: string, value: unknown): void {
  if (value === undefined) Reflect.deleteProperty(holder, key);
  else if (key !== '__proto__') Reflect.set(holder, key, value);
  else Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
}

/**
 * The ways of reading a JSON Pointer in a URI's fragment; the first that leads somewhere is meant. RFC 6901, section 6,
 * decodes the whole before it is split, so that `%2F` separates; generators that write `#/$defs/a%2Fb` often mean the one
 * name `a/b`, which is the second reading.
 */
export function fragmentReadings(fragment: string): readonly (readonly string[])[] {
  if (!fragment.includes('%')) return [pointerTokens(fragment)];
  const decoded = decodeFragment(fragment);
  if (decoded === undefined) return [];
  const whole = pointerTokens(decoded);
  if (!/%2f/i.test(fragment)) return [whole];
  return [whole, pointerTokens(fragment).map((token) => decodeFragment(token) ?? token)];
}

export function decodeFragment(fragment: string): string | undefined {
  if (!fragment.includes('%')) return fragment;
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

/**
 * The value that a reference such as `#/$defs/filter` points to in a document; undefined for anchors and identifiers.
 */
export function resolveLocalReference(root: unknown, reference: string): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  const targets = fragmentReadings(reference.slice(1)).map((tokens) => follow(root, tokens));
  return targets.find((target) => target !== undefined);
}

/** The JSON Pointer to a number that JSON cannot write (`1e400` is read as Infinity); undefined without one. */
export function nonFiniteNumberIn(value: unknown): string | undefined {
  return numberIn(value, (number) => !Number.isFinite(number));
}

/** The JSON Pointer to the first number that is wanted; undefined without one. */
export function numberIn(value: unknown, isWanted: (number: number) => boolean): string | undefined {
  if (typeof value === 'number') return isWanted(value) ? '' : undefined;
  const waiting: [container: unknown, pointer: string][] = [[value, '']];
  // Values may contain themselves.
  const seen = new Set<unknown>();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [container, pointer] = next;
    if (seen.has(container)) continue;
    seen.add(container);
    for (const [key, member] of Object.entries(container ?? {})) {
      const isContainer = typeof member === 'object' && member !== null;
      if (isContainer) waiting.push([member, `${pointer}/${pointerToken(key)}`]);
      else if (typeof member === 'number' && isWanted(member)) return `${pointer}/${pointerToken(key)}`;
    }
  }
  return undefined;
}
