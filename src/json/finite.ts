import { jsonPointer } from './pointer.js';
import { isObject } from './value.js';

/** Objects and arrays gone through: more than any message has, and an end for values that contain themselves. */
const containerLimit = 10_000_000;

interface Container {
  readonly value: object;
  readonly key: string | number;
  readonly around: Container | undefined;
}

/**
 * Where a value holds a number that JSON cannot write, as a JSON Pointer: JavaScript reads `1e400` as Infinity, and
 * writes Infinity as null. Undefined where it holds none.
 */
export function nonFiniteNumberIn(value: unknown): string | undefined {
  if (isNonFinite(value)) return '';
  const waiting: Container[] = [];
  const visit = (part: unknown, key: string | number, around: Container | undefined) => {
    if (typeof part === 'object' && part !== null) waiting.push({ value: part, key, around });
    return isNonFinite(part);
  };
  visit(value, '', undefined);
  for (let seen = 0; seen < containerLimit; seen++) {
    const container = waiting.pop();
    if (!container) return undefined;
    const { value: holder } = container;
    if (Array.isArray(holder)) {
      const at = holder.findIndex((item, index) => visit(item, index, container));
      if (at >= 0) return pointerTo(container, at);
    } else if (isObject(holder)) {
      for (const name of Object.keys(holder))
        if (visit(holder[name], name, container)) return pointerTo(container, name);
    }
  }
  return undefined;
}

function isNonFinite(value: unknown): boolean {
  return typeof value === 'number' && !Number.isFinite(value);
}

function pointerTo(container: Container, key: string | number): string {
  const keys = [key];
  for (let at = container; at.around; at = at.around) keys.push(at.key);
  return jsonPointer(keys.reverse());
}
