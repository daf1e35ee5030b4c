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

/** A copy that may be changed: of objects and arrays, without recursion, since arguments nest as deep as they like. */
export function copyOf(value: unknown, copies: Set<object>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const root: Slot['holder'] = { value };
  const waiting: Slot[] = [{ holder: root, key: 'value' }];
  for (let slot = waiting.pop(); slot; slot = waiting.pop()) {
    const original = slot.holder[slot.key];
    if (Array.isArray(original)) {
      const copy = original.slice() as unknown as Slot['holder']; // an array, written by its indexes
      copies.add(copy);
      put(slot, copy);
      for (let index = 0; index < original.length; index++) waiting.push({ holder: copy, key: index });
    } else if (isObject(original)) {
      const copy = { ...original };
      copies.add(copy);
      put(slot, copy);
      for (const key of Object.keys(copy)) waiting.push({ holder: copy, key });
    }
  }
  return root['value'];
}

/** Copying an object takes longer than going through it. */
export const copySteps = 4;

/** What looking at a value costs: a step for each member, or for 64 characters. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length >> 6;
  if (Array.isArray(value)) return value.length >> 6;
  return isObject(value) ? Object.keys(value).length : 0;
}
