import { isList, isObject, jsonText, type JsonObject, visible } from '../src/json/index.js';

/**
 * Makes a server's text safe in descriptions, hints and errors, which n8n's editor shows as HTML. A `<` begins markup only
 * before one of these characters (HTML, 13.2.5.6). Invisible characters become escapes.
 */
export function plainText(text: string): string {
  return visible(text).replaceAll(/<(?=[a-z/!?])/gi, '‹');
}

/** A line that begins with the place of a value, '/queries/0/limit: …', with the place as n8n writes it: 'queries[0].limit: …'. */
export function withPlainPlace(line: string): string {
  const [place = ''] = /^\/[\w/-]+(?=: )/.exec(line) ?? [];
  const path = place.slice(1).replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]');
  return path.replaceAll('/', '.') + line.slice(place.length);
}

export function enumerate(names: readonly string[], shown = 20): string {
  return limited(names, shown).join(', ');
}

export function limited(entries: readonly string[], shown: number): string[] {
  const more = entries.length - shown;
  return [...entries.slice(0, shown), ...(more > 0 ? [`and ${more} more`] : [])];
}

/** The rows of a fixedCollection: `{ values: [{...}, ...] }`. */
export function rows(collection: unknown): readonly JsonObject[] {
  const values = isObject(collection) ? collection['values'] : undefined;
  return isList(values) ? values.filter(isObject) : [];
}

/** Rows of names and values. Rows without a name, or whose expression has no value, are left out. */
export function namedValues(collection: unknown): Record<string, string> {
  const named = rows(collection).map(({ name, value }) => [textOf(name).trim(), value] as const);
  const given = named.filter(([name, value]) => name !== '' && value !== undefined && value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, textOf(value)]));
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : jsonText(value);
}
