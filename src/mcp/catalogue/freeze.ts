/** Freezes a JSON value and everything in it. Works through a list of its own: nesting from outside has no bound. */
export function deepFreeze(value: unknown): void {
  if (!isObject(value) || Object.isFrozen(value)) return;
  const waiting: object[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    Object.freeze(next);
    for (const child of Object.values(next)) if (isObject(child)) waiting.push(child);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
