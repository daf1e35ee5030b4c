/** A class, an escape, a quantifier with numbers, a sign that `u` wants escaped, or any other character. */
const tokens = /\[\^?(?:\\[^]|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\k<[^>]*>|\\[^]|\{\d+(?:,\d*)?\}|[^]/g;
const tokensOfClass = /\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\[^]|[^]/g;

/**
 * A pattern that is not valid with the `u` flag, with the same meaning as one that may be: `^[\w-.]+\_{$` as
 * `^[\w\-.]+_\{$`. Escaped letters mean something in other dialects than JavaScript's, so they stay, and are not valid.
 */
export function unicodeSource(source: string): string {
  return source.replace(tokens, (token) => {
    if (token.startsWith('[') && token.length > 1) return classSource(token);
    if (token === '{' || token === '}' || token === ']') return `\\${token}`;
    return token === '\\-' ? '-' : withoutNeedlessEscape(token);
  });
}

function classSource(whole: string): string {
  const parts = whole.slice(1, -1).match(tokensOfClass) ?? [];
  const isSet = (part = '') => /^\\[dswp]/i.test(part);
  const shown = parts.map((part, at) =>
    // Between sets of characters it is no range.
    part === '-' && (isSet(parts[at - 1]) || isSet(parts[at + 1])) ? '\\-' : withoutNeedlessEscape(part),
  );
  return `[${shown.join('')}]`;
}

function withoutNeedlessEscape(token: string): string {
  return /^\\[^\w^$\\.*+?()[\]{}|/-]$|^\\_$/.test(token) ? token.slice(1) : token;
}
