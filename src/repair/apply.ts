import { isObject, pointerToken, pointerTokens } from '../json/index.js';
import { withNames } from './candidates.js';
import type { Repair } from './options.js';

/** What takes another value's place; undefined where it is to be left out. */
export type Replacement = Pick<Repair, 'instanceLocation' | 'to'> & Partial<Repair>;

/** The instance with some repairs made, copied only along their paths; the instance itself stays as it is. */
export function applyRepairs(instance: unknown, repairs: readonly Replacement[]): unknown {
  const copies = new Set<unknown>();
  const root = { value: instance };
  copies.add(root);
  for (const { instanceLocation, kind, from, to } of repairs) {
    const tokens = ['value', ...pointerTokens(instanceLocation)];
    const last = tokens.pop() ?? '';
    // The holder of a name's change is what the name stands in, which is replaced as a whole.
    const changed = kind === 'name' ? (tokens.pop() ?? '') : last;
    let holder: object = root;
    for (const token of tokens) {
      const child = ownCopy(read(holder, token), copies);
      write(holder, token, child);
      holder = child;
    }
    if (kind === 'name') {
      const named = read(holder, changed);
      // Where the other name stands as well, neither is meant: no member takes another's place.
      const mayRename = isObject(named) && !Object.hasOwn(named, String(to));
      const renamed = mayRename ? withNames(named, new Map([[String(from), String(to)]])) : named;
      copies.add(renamed);
      write(holder, changed, renamed);
    } else if (to === undefined) {
      Reflect.deleteProperty(holder, changed);
    } else {
      write(holder, changed, to);
    }
  }
  return root.value;
}

function ownCopy(value: unknown, copies: Set<unknown>): object {
  if (typeof value !== 'object' || value === null) return {};
  if (copies.has(value)) return value;
  // The spread keeps the order of keys and copies a key named __proto__ as the plain property it is.
  const copy: object = Array.isArray(value) ? (value.slice() as unknown[]) : { ...value };
  copies.add(copy);
  return copy;
}

function read(holder: object, token: string): unknown {
  // An object or an array: either is read by a name.
  return Object.hasOwn(holder, token) ? (holder as Record<string, unknown>)[token] : undefined;
}

/** Defines rather than assigns: an assignment to __proto__ could set the prototype. */
function write(holder: object, token: string, value: unknown): void {
  Object.defineProperty(holder, token, { value, writable: true, enumerable: true, configurable: true });
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
