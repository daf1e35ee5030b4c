import { pointerToken } from './pointer.js';

/** The JSON Pointer to a number that JSON cannot write (`1e400` is read as Infinity); undefined without one. */
export function nonFiniteNumberIn(value: unknown): string | undefined {
  if (isNonFinite(value)) return '';
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
      else if (isNonFinite(member)) return `${pointer}/${pointerToken(key)}`;
    }
  }
  return undefined;
}

function isNonFinite(value: unknown): boolean {
  return typeof value === 'number' && !Number.isFinite(value);
}
