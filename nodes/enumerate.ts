/** `a, b, c, and 4 more`. */
export function enumerate(names: readonly string[], shown = 20): string {
  const rest = names.length > shown ? [`and ${names.length - shown} more`] : [];
  return [...names.slice(0, shown), ...rest].join(', ');
}
