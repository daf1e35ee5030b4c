import { mayBacktrack } from './backtracking-check.js';

/**
 * Weights of the parts that JavaScript takes long to compile, during which nothing can stop it: loops, groups, most of
 * all boundaries (200 of `\b\w?` in a row take 0.1 s, 400 take 0.9 s). Heavier patterns are not tried.
 */
const weights: readonly (readonly [part: RegExp, weight: number])[] = [
  [/[?*+{(]/g, 1],
  [/\\b/gi, 10],
];
const charactersOfOneWeight = 5;
const weightLimit = 2000;

export class Pattern {
  /** Null until it is needed, undefined if JavaScript cannot parse it. */
  #regex: RegExp | undefined | null = null;
  #tried: boolean | undefined;
  /** The longest length that is known to be matched soon, and the shortest that may take long. */
  #quickLength = -1;
  #riskyLength = Infinity;

  /** @param withheld the schema has more patterns than it may have: this one is not tried */
  constructor(
    readonly source: string,
    readonly withheld: boolean,
  ) {}

  get isTried(): boolean {
    return (this.#tried ??= !this.withheld && weightOf(this.source) <= weightLimit);
  }

  /** True if the next match compiles the pattern, which takes time. */
  get isFresh(): boolean {
    return this.#quickLength < 0 && this.#riskyLength === Infinity;
  }

  /** True if JavaScript can parse the pattern, as far as it is tried. */
  get isReadable(): boolean {
    return !this.isTried || this.#read() !== undefined;
  }

  /** Undefined if JavaScript cannot parse the pattern, or finds it too large when it compiles it. */
  matches(text: string): boolean | undefined {
    try {
      return this.#read()?.test(text);
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  /** True if matching a text of this length may take long, and needs the watchdog. */
  isRisky(length: number): boolean {
    if (length <= this.#quickLength) return false;
    if (length >= this.#riskyLength) return true;
    const risky = mayBacktrack(this.source, length);
    if (risky) this.#riskyLength = length;
    else this.#quickLength = length;
    return risky;
  }

  #read(): RegExp | undefined {
    if (this.#regex === null) this.#regex = read(this.source) ?? read(unicodeSource(this.source));
    return this.#regex;
  }
}

/**
 * With the `u` flag that the specification asks for: without it, `\p{L}` would be letters. As a lookahead, V8 prepares no
 * search: eight characters such as `\P{L}` in a row would take it two seconds.
 */
function read(source: string): RegExp | undefined {
  try {
    return new RegExp(`(?=${new RegExp(source, 'u').source})`, 'u');
  } catch {
    return undefined;
  }
}

function weightOf(source: string): number {
  const ofParts = weights.map(([part, weight]) => weight * (source.match(part)?.length ?? 0));
  return ofParts.reduce((sum, weight) => sum + weight, source.length / charactersOfOneWeight);
}

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
function unicodeSource(source: string): string {
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
