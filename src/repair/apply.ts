import { isObject, pointerToken, pointerTokens } from '../json/index.js';
import { copyOf, put, type Slot, valueOf } from '../schema/index.js';
import { withNames } from './candidates/candidates.js';
import type { Repair } from './options.js';

/** What takes another value's place; undefined where it is to be left out. */
export type Replacement = Pick<Repair, 'instanceLocation' | 'to'> & Partial<Repair>;

/** The instance with some repairs made, copied only along their paths; the instance itself stays as it is. */
export function applyRepairs(instance: unknown, repairs: readonly Replacement[]): unknown {
  const copies = new Set<unknown>();
  const root = { value: instance };
  for (const { instanceLocation, kind, from, to } of repairs) {
    const tokens = ['value', ...pointerTokens(instanceLocation)];
    const last = tokens.pop() ?? '';
    // The holder of a name's change is what the name stands in, which is replaced as a whole.
    const key = kind === 'name' ? (tokens.pop() ?? '') : last;
    let holder: Slot['holder'] = root;
    for (const token of tokens) holder = ownCopy({ holder, key: token }, copies);
    const changed = { holder, key };
    const named = valueOf(changed);
    // Where the other name stands as well, neither is meant: no member takes another's place.
    if (kind !== 'name') put(changed, to);
    else if (isObject(named) && !Object.hasOwn(named, String(to))) {
      const renamed = withNames(named, new Map([[String(from), String(to)]]));
      copies.add(renamed);
      put(changed, renamed);
    }
  }
  return root.value;
}

/** What stands there as a copy that may be changed: one is made where it is none yet. */
function ownCopy(slot: Slot, copies: Set<unknown>): Slot['holder'] {
  const value = valueOf(slot);
  if (copies.has(value)) return value as Slot['holder']; // every copy is one
  const copy = typeof value === 'object' && value !== null ? copyOf(value) : {};
  copies.add(copy);
  put(slot, copy);
  return copy;
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
