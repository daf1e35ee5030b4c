/** A class, an escape, a quantifier with numbers, a sign that `u` wants escaped, or any other character. */
const tokens = /\[\^\]\]|\[\^?(?:\\[^]|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\k<[^>]*>|\\[^]|\{\d+(?:,\d*)?\}|[^]/g;
const tokensOfClass = /\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\[^]|[^]/g;

/** Classes that other dialects read in another way: `[]a]`, `[^]a]`, `[[:alpha:]]`, `[a-z&&[^b]]`. */
const foreignClass = /^\[(?:\^\])?\]$|\[:\w+:\]$|(?:--|&&)\[/;

/**
 * A pattern that is not valid with the `u` flag, with the same meaning as one that may be: `^[\w-.]+\_{$` as
 * `^[\w\-.]+_\{$`. Escaped letters and some classes mean something in other dialects than JavaScript's, so they stay, and
 * are not valid.
 */
export function unicodeSource(source: string): string {
  if (source.match(tokens)?.some((token) => foreignClass.test(token))) return source;
  return source.replace(tokens, (token) => {
    if (token.startsWith('[') && token.length > 1) return classSource(token);
    if (token === '{' || token === '}' || token === ']') return `\\${token}`;
    return token === '\\-' ? '-' : withoutNeedlessEscape(token);
  });
}

function classSource(whole: string): string {
  const [start = '[', isSet] = [/^\[\^?/.exec(whole)?.[0], /^\\[dswp]/i];
  const parts = whole.slice(start.length, -1).match(tokensOfClass) ?? [];
  const shown = (part: string) => (part === '-' ? '\\-' : withoutNeedlessEscape(part));
  let source = start;
  while (parts.length > 0) {
    const [first = '', dash, last] = parts;
    const isPair = dash === '-' && last !== undefined;
    // Beside a set of characters it is no range.
    const isRange = isPair && !isSet.test(first) && !isSet.test(last);
    source += isRange
      ? `${shown(first)}-${shown(last)}`
      : parts
          .slice(0, isPair ? 3 : 1)
          .map(shown)
          .join('');
    parts.splice(0, isPair ? 3 : 1);
  }
  return `${source}]`;
}

function withoutNeedlessEscape(token: string): string {
  return /^\\[^\w^$\\.*+?()[\]{}|/-]$|^\\_$/.test(token) ? token.slice(1) : token;
}
