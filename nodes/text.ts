import { visible } from '../src/json/index.js';

/**
 * A server's text for places that n8n's editor shows as HTML: descriptions, hints, errors. A `<` begins markup where one
 * of these characters follows (HTML, 13.2.5.6); elsewhere it is that sign, as in `<= 5`. Invisible characters become
 * escapes.
 */
export function plainText(text: string): string {
  return visible(text).replaceAll(/<(?=[a-z/!?])/gi, '‹');
}

/** `a, b, c, and 4 more`. */
export function enumerate(names: readonly string[], shown = 20): string {
  return limited(names, shown).join(', ');
}

/** The first of many, and how many more there are. */
export function limited(entries: readonly string[], shown: number): string[] {
  return [...entries.slice(0, shown), ...more(entries.length - shown)];
}

/** How many are not shown, if any. */
export function more(count: number): string[] {
  return count > 0 ? [`and ${count} more`] : [];
}
