import { grouped, holderOf, isList, isObject, member, pointerToken, pointerTokens, put } from '../json/index.js';
import type { Repair } from './options.js';

/** A value's replacement; `to` is undefined if the value is to be left out. */
export type Replacement = Pick<Repair, 'instanceLocation' | 'to'> & Partial<Repair>;

type Holder = Record<string | number, unknown>;

/** The instance with repairs applied, copied only along their paths; `base` is its location in theirs. */
export function applyRepairs(
  instance: unknown,
  repairs: readonly Replacement[],
  base = '',
  consume: (steps: number) => unknown = () => undefined,
): unknown {
  // As a member of this object, the instance itself can be replaced, too.
  const root: Holder = { value: instance };
  const copies = new Set<unknown>();
  const ownCopy = (holder: Holder, token: string): Holder => {
    const value = member(holder, token);
    if (copies.has(value)) return value as Holder; // as every copy is
    consume(isList(value) ? value.length >> 6 : Object.keys(value ?? {}).length >> 2);
    // The spread copies a __proto__ of its own as the plain property that it is.
    const copy = (isList(value) ? value.slice() : { ...(value ?? {}) }) as Holder;
    copies.add(copy);
    put(holder, token, copy);
    return copy;
  };
  // Renames in one object are made together: the object is rebuilt once.
  const batches = grouped(repairs, (each) => (each.kind === 'name' ? holderOf(each.instanceLocation) : each));
  for (const batch of batches.values()) {
    const [{ kind, instanceLocation, to }] = batch;
    const place = kind === 'name' ? holderOf(instanceLocation) : instanceLocation;
    // The path in `root`, from its end: the name to write, and the names of the objects and lists around it.
    const [last = '', ...holders] = ['value', ...pointerTokens(place.slice(base.length))].reverse();
    consume(1 + holders.length);
    const holder = holders.reduceRight(ownCopy, root);
    put(holder, last, kind === 'name' ? withNames(member(holder, last), batch, consume) : to);
  }
  return root['value'];
}

/** A copy of the object, in its order, with some members renamed. None replaces another member. */
function withNames(object: unknown, renames: readonly Replacement[], consume: (steps: number) => unknown): unknown {
  if (!isObject(object)) return object;
  consume(Object.keys(object).length);
  const free = renames.filter(({ to }) => !Object.hasOwn(object, String(to)));
  const names = new Map(free.map(({ from, to }) => [from, String(to)]));
  // Object.fromEntries defines a property called __proto__. An assignment would set the prototype.
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [names.get(name) ?? name, value]));
}

/** The location of the repaired value once the repair is made. */
export function placeAfter({ instanceLocation, kind, to }: Repair): string {
  return kind === 'name' ? `${holderOf(instanceLocation)}/${pointerToken(String(to))}` : instanceLocation;
}
