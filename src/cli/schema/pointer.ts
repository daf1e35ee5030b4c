/** What a local reference (`#/$defs/filter`) points to; undefined for one that leads nowhere or out of the schema. */
export function resolvePointer(root: unknown, reference: string): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let value = root;
  for (const token of reference.slice(2).split('/')) {
    const key = unescape(token);
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key]; // an object with this key, by the line above
  }
  return value;
}

function unescape(token: string): string {
  const decoded = token.includes('%') ? safeDecode(token) : token;
  return decoded.replaceAll('~1', '/').replaceAll('~0', '~');
}

function safeDecode(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}
