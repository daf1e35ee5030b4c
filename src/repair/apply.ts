import { isObject, type JsonObject, member, pointerToken, pointerTokens } from '../json/index.js';
import type { Repair } from './options.js';

/** What takes another value's place; undefined where it is to be left out. */
export type Replacement = Pick<Repair, 'instanceLocation' | 'to'> & Partial<Repair>;

type Holder = Record<string | number, unknown>;

/** The instance with repairs made, copied only along their paths; it stands at `base` in their locations. */
export function applyRepairs(
  instance: unknown,
  repairs: readonly Replacement[],
  base = '',
  consume: (steps: number) => void = () => undefined,
): unknown {
  const copies = new Set<unknown>();
  const root: Holder = { value: instance };
  for (const batch of inBatches(repairs)) {
    const [{ instanceLocation, kind, to }] = batch;
    const tokens = ['value', ...pointerTokens(instanceLocation.slice(base.length))];
    consume(1 + tokens.length);
    const last = tokens.pop() ?? '';
    // A name is changed in the object that it stands in, which is replaced as a whole.
    const key = kind === 'name' ? (tokens.pop() ?? '') : last;
    let holder = root;
    for (const token of tokens) holder = ownCopy(holder, token, copies, consume);
    if (kind !== 'name') {
      put(holder, key, to);
      continue;
    }
    const named = member(holder, key);
    if (!isObject(named)) continue;
    consume(Object.keys(named).length);
    const renamed = withNames(named, new Map(batch.map((each) => [String(each.from), String(each.to)])));
    copies.add(renamed);
    put(holder, key, renamed);
  }
  return root['value'];
}

/** Each repair by itself, but names of one object together: it is copied once for all of them. */
function inBatches(repairs: readonly Replacement[]): readonly [Replacement, ...Replacement[]][] {
  const batches: [Replacement, ...Replacement[]][] = [];
  for (const repair of repairs) {
    const batch = batches.at(-1);
    const isSameObject = batch && holderOf(batch[0].instanceLocation) === holderOf(repair.instanceLocation);
    if (isSameObject && batch[0].kind === 'name' && repair.kind === 'name') batch.push(repair);
    else batches.push([repair]);
  }
  return batches;
}

function holderOf(instanceLocation: string): string {
  return instanceLocation.slice(0, instanceLocation.lastIndexOf('/'));
}

function ownCopy(holder: Holder, key: string, copies: Set<unknown>, consume: (steps: number) => void): Holder {
  const value = member(holder, key);
  if (copies.has(value)) return value as Holder; // as every copy is
  // The spread copies a __proto__ of its own as the plain property that it is.
  const copy = (Array.isArray(value) ? value.slice() : { ...(value ?? {}) }) as Holder;
  consume(Array.isArray(copy) ? copy.length >> 6 : Object.keys(copy).length >> 2);
  copies.add(copy);
  put(holder, key, copy);
  return copy;
}

/** Assigns, but for __proto__: an assignment could set the prototype. */
function put(holder: Holder, key: string, value: unknown): void {
  if (value === undefined) Reflect.deleteProperty(holder, key);
  else if (key !== '__proto__') holder[key] = value;
  else Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
}

/** A copy of the object, in its order, with other names for some members. No member takes another's place. */
function withNames(object: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  const meant = (given: string) => {
    const name = names.get(given) ?? given;
    return Object.hasOwn(object, name) ? given : name;
  };
  // Object.fromEntries defines a property called __proto__, where an assignment would set the prototype.
  return Object.fromEntries(Object.entries(object).map(([name, member]) => [meant(name), member]));
}

export function placeAfter({ instanceLocation, kind, to }: Repair): string {
  if (kind !== 'name') return instanceLocation;
  return `${holderOf(instanceLocation)}/${pointerToken(String(to))}`;
}

export function isWithin(location: string, ancestor: string): boolean {
  return location.startsWith(ancestor) && (location.length === ancestor.length || location[ancestor.length] === '/');
}

export function withHolders(location: string): string[] {
  const locations = [location];
  for (let end = location.lastIndexOf('/'); end >= 0; end = location.lastIndexOf('/', end - 1)) {
    locations.push(location.slice(0, end));
    if (end === 0) break;
  }
  return locations;
}
