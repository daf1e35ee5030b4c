/** Freezes a JSON value and everything in it. Works through a list of its own: nesting from outside has no bound. */
export function deepFreeze(value: unknown): void {
  if (!isContainer(value) || Object.isFrozen(value)) return;
  const waiting: object[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    Object.freeze(next);
    for (const child of Object.values(next)) if (isContainer(child)) waiting.push(child);
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
