/**
 * Reads n8n's storage format for executions (npm package "flatted"): a JSON array of values in which every string
 * inside an object or array is the index of its value. Cycles are kept.
 */
export function parseFlatted(text: string): unknown {
  const entries = JSON.parse(text) as unknown[]; // the format's outermost value is always an array
  const seen = new Map<number, unknown>();
  return resolve(0);

  function resolve(index: number): unknown {
    if (seen.has(index)) return seen.get(index);
    const entry = entries[index];
    if (typeof entry !== 'object' || entry === null) return entry;
    const target: object = Array.isArray(entry) ? [] : {};
    seen.set(index, target);
    for (const [key, value] of Object.entries(entry)) {
      const member: unknown = typeof value === 'string' ? resolve(Number(value)) : value;
      // Defined rather than assigned: a key may be "__proto__".
      Object.defineProperty(target, key, { value: member, writable: true, enumerable: true, configurable: true });
    }
    return target;
  }
}
