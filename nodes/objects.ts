/** Whether a value has members: a JSON object or a list. */
export function hasMembers(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return hasMembers(value) && !Array.isArray(value);
}
