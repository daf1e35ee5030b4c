import { pointerToken } from './pointer.js';

/** Objects and arrays gone through: more than any message has, and an end for values that contain themselves. */
const containerLimit = 10_000_000;

/**
 * The JSON Pointer to a number in a value that JSON cannot write: JavaScript reads `1e400` as Infinity, and writes
 * Infinity as null. Undefined where there is none.
 */
export function nonFiniteNumberIn(value: unknown): string | undefined {
  if (isNonFinite(value)) return '';
  const waiting: [container: unknown, pointer: string][] = [[value, '']];
  for (let seen = 0; seen < containerLimit; seen++) {
    const [container, pointer] = waiting.pop() ?? [];
    if (container === undefined) return undefined;
    for (const [key, member] of Object.entries(container ?? {})) {
      const isContainer = typeof member === 'object' && member !== null;
      if (isContainer) waiting.push([member, `${pointer}/${pointerToken(key)}`]);
      else if (isNonFinite(member)) return `${pointer}/${pointerToken(key)}`;
    }
  }
  return undefined;
}

function isNonFinite(value: unknown): boolean {
  return typeof value === 'number' && !Number.isFinite(value);
}
