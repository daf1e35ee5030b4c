import { isObject } from '../../json/index.js';

/** What holds a value of a copy, and under which name or number. */
export interface Slot {
  readonly holder: Record<string | number, unknown>;
  readonly key: string | number;
}

export function valueOf({ holder, key }: Slot): unknown {
  return Object.hasOwn(holder, key) ? holder[key] : undefined;
}

/** Assigns, but for __proto__: an assignment could set the prototype. */
export function put({ holder, key }: Slot, value: unknown): void {
  if (value === undefined) Reflect.deleteProperty(holder, key);
  else if (key !== '__proto__') holder[key] = value;
  else Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
}

/** A copy that may be changed; what is in it stays what it was. */
export function copyOf(value: object): Slot['holder'] {
  // The spread keeps the order of names, and copies one that is __proto__ as the plain property it is. An array is
  // written by its indexes.
  return (Array.isArray(value) ? value.slice() : { ...value }) as Slot['holder'];
}

/** Copying an object takes longer than going through it. */
export const copySteps = 4;

/** What looking at a value costs: a step for each member, or for 64 characters. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length >> 6;
  if (Array.isArray(value)) return value.length >> 6;
  return isObject(value) ? Object.keys(value).length : 0;
}
