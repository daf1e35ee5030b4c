/**
 * How deep a tool may nest. JSON writers recurse and fail beyond a few thousand levels, which would take down the whole
 * request to a model that one such tool is part of; the deepest of 5,522 published tools has 14 levels.
 */
export const maxLevels = 500;

export function nestsTooDeep(value: unknown, levels = maxLevels): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => nestsTooDeep(item, levels - 1));
  // The objects come from JSON.parse, so that all their properties are their own.
  for (const name in value) {
    if (nestsTooDeep((value as Record<string, unknown>)[name], levels - 1)) return true;
  }
  return false;
}
