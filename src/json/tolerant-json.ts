import { integerOf, isNumber, numberOf } from './numerals.js';
import { stringEnd, tokensIn } from './scanner.js';
import { quote, shortened } from './text.js';
import { isObject } from './value.js';

const maxDepth = 100;
const maxTexts = 3;

/** Values and escapes in a text: each takes fifty times the memory of its characters. */
const maxParts = 500_000;

interface Reading {
  /** Called with the reason if a readable text is rejected: a duplicate key, or a number that is too large. */
  readonly onProblem?: ((problem: string) => void) | undefined;
  /**
   * Returns true if the schema expects a string at a path. A number there keeps its digits as a string: the zero of
   * `3.10`, and the digits of an integer that JavaScript would round.
   */
  readonly wantsText?: (path: readonly (string | number)[]) => boolean;
}

/**
 * The list or object that a string holds: as JSON, as Python or JavaScript literals (single quotes, `True`, `None`,
 * tuples, unquoted names), with trailing commas, inside a code fence, before tokens that end a call, or encoded twice.
 * Undefined if the string holds no list or object, is cut short, has a duplicate key, or holds a number that JavaScript
 * would not give back. Takes time in proportion to the text and runs none of it as code.
 */
export function containerIn(text: string, reading: Reading = {}): object | undefined {
  let current = text;
  for (let level = 0; level < maxTexts; level++) {
    const inner = withoutFence(withoutEnd(current.trim()));
    if (!/^[[{("']/.test(inner)) return undefined;
    const value = new TolerantReader(inner, reading).read();
    if (typeof value === 'object' && value !== null) return value;
    if (typeof value !== 'string') return undefined;
    current = value;
  }
  return undefined;
}

/**
 * The arguments that a string holds, as JSON or as models write it: Python or JavaScript literals, trailing commas, a
 * code fence, encoded twice. Undefined if it holds no object, is cut short, or has a duplicate key.
 *
 * ```ts
 * argumentsFromText("{'limit': 5, 'all': True,}"); // => { limit: 5, all: true }
 * ```
 *
 * @param onProblem called with a clause that says why a readable text is rejected: a duplicate key, or a number that is
 * too large
 */
export function argumentsFromText(
  text: string,
  onProblem?: (problem: string) => void,
): Readonly<Record<string, unknown>> | undefined {
  const value = containerIn(text, { onProblem });
  return isObject(value) ? value : undefined;
}

/** True if a model wrote no arguments: nothing, or an empty string in quotes. */
export function isNoText(text: string): boolean {
  return /^\s*(?:""|'')?\s*$/.test(text);
}

/** The text within a text that is quoted, as JSON or as Python writes it: `"'open'"` holds `open`. */
export function quotedIn(text: string): string | undefined {
  const value = /^\s*["']/.test(text) ? new TolerantReader(text.trim()).read() : undefined;
  return typeof value === 'string' ? value : undefined;
}

function withoutFence(text: string): string {
  if (!text.endsWith('```')) return text;
  const [fence = ''] = /^(?:```\w*)?/.exec(text) ?? [];
  return fence.length <= text.length - 3 ? text.slice(fence.length, -3).trim() : text;
}

/** Without the tokens by which a model ends a call, which some servers leave there: `<|call|>`. */
function withoutEnd(text: string): string {
  const [tokens = ''] = endTokens.exec(text.slice(-maxTokens)) ?? [];
  return text.slice(0, text.length - tokens.length);
}

const maxTokens = 200;
const endTokens = /(?:\s*<[|｜][^<>|｜]{1,46}[|｜]>)+$/;

class Unreadable extends Error {}

const token = /["'{}[\](),:]|[^\s"'{}[\](),:]+/g;

const closing: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' };

const words = { true: true, True: true, false: false, False: false, null: null, None: null };

const escape = /\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|([^]))/g;
const letters: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Reads JSON as models write it. It completes nothing and guesses no word: it rejects everything else. */
class TolerantReader {
  readonly #tokens: Iterator<string, undefined>;
  readonly #reading: Reading;
  readonly #path: (string | number)[] = [];
  #token: string | undefined;
  #parts = 0;

  constructor(text: string, reading: Reading = {}) {
    this.#tokens = tokensIn(text, token);
    this.#token = this.#tokens.next().value;
    this.#reading = reading;
  }

  /** Undefined if the text is not one value from its first to its last token. */
  read(): unknown {
    try {
      const value = this.#value();
      return this.#token === undefined ? value : undefined;
    } catch (error) {
      if (error instanceof Unreadable) return undefined;
      throw error;
    }
  }

  #value(): unknown {
    this.#count();
    const token = this.#next();
    if (isQuoted(token)) return this.#string(token);
    if (Object.hasOwn(closing, token)) return this.#container(token);
    if (Object.hasOwn(words, token)) return words[token as keyof typeof words]; // as it is one of them
    const { wantsText } = this.#reading;
    if (wantsText && integerOf(token) === undefined && isNumber(token)) if (wantsText(this.#path)) return token;
    return (
      numberOf(token) ?? this.#fail(isNumber(token) ? `the number ${shortened(token, 60)} would be rounded` : undefined)
    );
  }

  #container(open: string): unknown {
    if (this.#path.length >= maxDepth) this.#fail();
    const members = new Map<string, unknown>();
    const items: unknown[] = [];
    let commas = 0;
    while (!this.#takes(closing[open] ?? '')) {
      if (items.length > commas) this.#fail();
      if (open === '{') this.#member(members);
      items.push(open === '{' ? undefined : this.#valueAt(items.length));
      if (this.#takes(',')) commas++;
    }
    // Without a comma, parentheses only group.
    if (open === '(' && commas === 0) this.#fail();
    // Object.fromEntries defines a property called __proto__; an assignment would set the prototype.
    return open === '{' ? Object.fromEntries(members) : items;
  }

  #valueAt(key: string | number): unknown {
    this.#path.push(key);
    const value = this.#value();
    this.#path.pop();
    return value;
  }

  #member(members: Map<string, unknown>): void {
    const token = this.#next();
    // Python's {None: 1} has no text for a name, and JavaScript's has one.
    const isName = isQuoted(token) || (/^[a-z_$][\w$]*$/i.test(token) && !Object.hasOwn(words, token));
    if (!isName || !this.#takes(':')) this.#fail();
    const name = isQuoted(token) ? this.#string(token) : token;
    if (members.has(name)) this.#fail(`duplicate key ${quote(name, 60)}`);
    members.set(name, this.#valueAt(name));
  }

  #string(quoted: string): string {
    if (stringEnd(quoted, 0) === undefined) this.#fail();
    const written = quoted.slice(1, -1);
    if (!written.includes('\\')) return written;
    for (let at = written.indexOf('\\'); at >= 0; at = written.indexOf('\\', at + 2)) this.#count();
    return written.replace(escape, (_, four?: string, two?: string, letter?: string) => {
      const digits = four ?? two;
      if (digits !== undefined) return String.fromCharCode(parseInt(digits, 16));
      const sign = letter ?? '';
      return `"'\\/`.includes(sign) ? sign : (letters[sign] ?? this.#fail());
    });
  }

  #count(): void {
    if (++this.#parts > maxParts) this.#fail();
  }

  #next(): string {
    const token = this.#token ?? this.#fail();
    this.#token = this.#tokens.next().value;
    return token;
  }

  #takes(token: string): boolean {
    const isNext = this.#token === token;
    if (isNext) this.#next();
    return isNext;
  }

  #fail(problem?: string): never {
    if (problem !== undefined) this.#reading.onProblem?.(problem);
    throw new Unreadable();
  }
}

function isQuoted(token: string): boolean {
  return token.startsWith('"') || token.startsWith("'");
}
