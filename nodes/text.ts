import { visible } from '../src/json/index.js';

/**
 * A server's text for places that n8n's editor shows as HTML: descriptions, hints, errors. A `<` begins markup where one
 * of these characters follows (HTML, 13.2.5.6); elsewhere it is that sign, as in `<= 5`. Invisible characters become
 * escapes.
 */
export function plainText(text: string): string {
  return visible(text).replaceAll(/<(?=[a-z/!?])/gi, '‹');
}

export function enumerate(names: readonly string[], shown = 20): string {
  return limited(names, shown).join(', ');
}

export function limited(entries: readonly string[], shown: number): string[] {
  const more = entries.length - shown;
  return [...entries.slice(0, shown), ...(more > 0 ? [`and ${more} more`] : [])];
}
