/** The first of many, and how many more there are. */
export function limited(entries: readonly string[], shown: number): string[] {
  return [...entries.slice(0, shown), ...more(entries.length - shown)];
}

/** How many are not shown, if any. */
export function more(count: number): string[] {
  return count > 0 ? [`and ${count} more`] : [];
}

/** `a, b, c, and 4 more`. */
export function enumerate(names: readonly string[], shown = 20): string {
  return limited(names, shown).join(', ');
}
