import { isObject, type JsonObject, pointerToken, pointerTokens } from '../json/index.js';
import type { Repair } from './options.js';

/** What takes another value's place; undefined where it is to be left out. */
export type Replacement = Pick<Repair, 'instanceLocation' | 'to'> & Partial<Repair>;

type Holder = Record<string | number, unknown>;

/**
 * The instance with some repairs made, copied only along their paths; the instance itself stays as it is.
 *
 * @param base where the instance stands in what the repairs' locations lead into
 */
export function applyRepairs(instance: unknown, repairs: readonly Replacement[], base = ''): unknown {
  const copies = new Set<unknown>();
  const root: Holder = { value: instance };
  for (const { instanceLocation, kind, from, to } of repairs) {
    const tokens = ['value', ...pointerTokens(instanceLocation.slice(base.length))];
    const last = tokens.pop() ?? '';
    // The holder of a name's change is what the name stands in, which is replaced as a whole.
    const key = kind === 'name' ? (tokens.pop() ?? '') : last;
    let holder = root;
    for (const token of tokens) holder = ownCopy(holder, token, copies);
    const named = valueOf(holder, key);
    // Where the other name stands as well, neither is meant: no member takes another's place.
    if (kind !== 'name') put(holder, key, to);
    else if (isObject(named) && !Object.hasOwn(named, String(to))) {
      const renamed = withName(named, String(from), String(to));
      copies.add(renamed);
      put(holder, key, renamed);
    }
  }
  return root['value'];
}

/** What stands there as a copy that may be changed: one is made where it is none yet. */
function ownCopy(holder: Holder, key: string, copies: Set<unknown>): Holder {
  const value = valueOf(holder, key);
  if (copies.has(value)) return value as Holder; // every copy is one
  // The spread keeps the order of names, and copies one that is __proto__ as the plain property it is. An array is
  // written by its indexes.
  const copy = (Array.isArray(value) ? value.slice() : { ...(value ?? {}) }) as Holder;
  copies.add(copy);
  put(holder, key, copy);
  return copy;
}

function valueOf(holder: Holder, key: string): unknown {
  return Object.hasOwn(holder, key) ? holder[key] : undefined;
}

/** Assigns, but for __proto__: an assignment could set the prototype. */
function put(holder: Holder, key: string, value: unknown): void {
  if (value === undefined) Reflect.deleteProperty(holder, key);
  else if (key !== '__proto__') holder[key] = value;
  else Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
}

/** A copy of the object, in its order, with another name for one member. */
function withName(object: JsonObject, given: string, meant: string): JsonObject {
  // Object.fromEntries defines a property called __proto__, where an assignment would set the prototype.
  return Object.fromEntries(Object.entries(object).map(([name, member]) => [name === given ? meant : name, member]));
}

/** Where the result of a repair stands. */
export function placeAfter({ instanceLocation, kind, to }: Repair): string {
  if (kind !== 'name') return instanceLocation;
  return `${instanceLocation.slice(0, instanceLocation.lastIndexOf('/'))}/${pointerToken(String(to))}`;
}

/** Whether one location is the other or lies beneath it. */
export function isWithin(location: string, ancestor: string): boolean {
  return location.startsWith(ancestor) && (location.length === ancestor.length || location[ancestor.length] === '/');
}

/** A location and all that hold it, up to the root. */
export function withHolders(location: string): string[] {
  const locations = [location];
  for (let end = location.lastIndexOf('/'); end >= 0; end = location.lastIndexOf('/', end - 1)) {
    locations.push(location.slice(0, end));
    if (end === 0) break;
  }
  return locations;
}
