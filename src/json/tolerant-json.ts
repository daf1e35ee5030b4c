import { integerOf, isNumber, numberOf } from './numerals.js';
import { quote, shortened } from './text.js';
import { isList, isObject } from './value.js';

/** Levels of lists and objects within one another, and of texts within texts. */
const maxDepth = 100;
const maxTexts = 3;

/**
 * Values of a text, of which each may have a few characters and take up fifty times as much. An evaluation looks at no
 * more.
 */
const maxValues = 500_000;

/** Characters of a text that is not JSON: reading them takes about as many tenths of a microsecond. */
const maxTolerated = 1_000_000;

/** How the text of a list or an object is read. */
interface Reading {
  /** Told of what is not read although it can be. */
  readonly onProblem?: ((problem: string) => void) | undefined;
  /**
   * Whether a text is wanted somewhere within, as a number would be the wrong thing there: then a number's digits are
   * kept, the zero of `3.10` and those of an integer that JavaScript would round. Undefined where that would take too
   * long to tell.
   */
  readonly wantsText?: (path: readonly (string | number)[]) => boolean | undefined;
}

/**
 * The list or object that a text holds: as JSON, as Python or JavaScript write it (single quotes, `True`, `None`, tuples,
 * names without quotes), with trailing commas, within a code fence, before tokens that end a call, or encoded twice.
 * Undefined where it holds none, is cut short, names a property twice, or holds a number that JavaScript would not give
 * back. Takes time in proportion to the text and runs none of it.
 */
export function containerIn(text: string, reading: Reading = {}): object | undefined {
  let current = text;
  for (let level = 0; level < maxTexts; level++) {
    const inner = withoutFence(withoutEnd(current.trim()));
    if (!/^[[{("']/.test(inner)) return undefined;
    const value = parse(inner, reading);
    if (typeof value === 'object' && value !== null) return value;
    if (typeof value !== 'string') return undefined;
    current = value;
  }
  return undefined;
}

/**
 * The arguments that a text holds, as JSON or as models write it: Python or JavaScript literals, trailing commas, a code
 * fence, encoded twice. Undefined where it holds no object, is cut short, or names a property twice.
 *
 * ```ts
 * argumentsFromText("{'limit': 5, 'all': True,}"); // => { limit: 5, all: true }
 * ```
 *
 * @param onProblem told, in a clause, of what is not read although it could be: a name that stands twice, a number too
 *   large
 */
export function argumentsFromText(
  text: string,
  onProblem?: (problem: string) => void,
): Readonly<Record<string, unknown>> | undefined {
  const value = containerIn(text, { onProblem });
  return isObject(value) ? value : undefined;
}

/** The text within a text that is quoted, as JSON or as Python writes it: `"'open'"` holds `open`. */
export function quotedIn(text: string): string | undefined {
  const value = /^\s*["']/.test(text) ? parse(text.trim()) : undefined;
  return typeof value === 'string' ? value : undefined;
}

function withoutFence(text: string): string {
  if (!text.endsWith('```')) return text;
  const [fence = ''] = /^(?:```\w*)?/.exec(text) ?? [];
  return fence.length <= text.length - 3 ? text.slice(fence.length, -3).trim() : text;
}

/** Without the tokens by which a model ends a call, which some servers leave there: `<|call|>`. */
function withoutEnd(text: string): string {
  let rest = text;
  for (let end = endToken.exec(rest.slice(-maxToken)); end; end = endToken.exec(rest.slice(-maxToken))) {
    rest = rest.slice(0, -end[0].length).trimEnd();
  }
  return rest;
}

const maxToken = 50;
const endToken = /<[|｜][^<>|｜]+[|｜]>$/;

function parse(text: string, reading: Reading = {}): unknown {
  if (text.length > maxValues && partsIn(text).values > maxValues) return undefined;
  const isShort = text.length <= maxTolerated;
  const tolerantly = () => (isShort ? new TolerantReader(text, reading).read() : undefined);
  if (reading.wantsText && isShort && mayLoseDigits.test(text)) return tolerantly();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return tolerantly();
  }
  if (holdsAllOf(text, value)) return value;
  if (reading.onProblem) tolerantly();
  return undefined;
}

/** A fraction, an exponent, or an integer that may be rounded. */
const mayLoseDigits = /\d\.\d|\d[eE]|\d{16}/;

/** What a JSON text is made of. */
interface Parts {
  values: number;
  /** Lists and objects. */
  containers: number;
  members: number;
  /** Whether JavaScript would give back each of its numbers. */
  isExact: boolean;
}

function partsIn(json: string): Parts {
  const parts: Parts = { values: 1, containers: 0, members: 0, isExact: true };
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === quotationMark) at = endOfString(json, at);
    else if (code === colon) parts.members++;
    else if (code === comma) parts.values++;
    else if (code === bracket || code === brace) {
      parts.values++;
      parts.containers++;
    } else if (isDigit(code) || code === minus) {
      const start = at;
      while (isNumeral(json.charCodeAt(at + 1))) at++;
      parts.isExact &&= numberOf(json.slice(start, at + 1)) !== undefined;
    }
  }
  return parts;
}

const [quotationMark, colon, comma, bracket, brace, minus] = Array.from('":,[{-', (character) =>
  character.charCodeAt(0),
);

/**
 * Whether a value holds everything that its JSON says: JSON.parse rounds, and takes the last of equal names, in
 * silence.
 */
function holdsAllOf(json: string, value: unknown): boolean {
  const { containers, members, isExact } = partsIn(json);
  if (!isExact || members === 0) return isExact;
  const waiting = [value];
  let [found, counted] = [1, 0];
  for (let next = waiting.pop(); typeof next === 'object' && next !== null; next = waiting.pop()) {
    if (!isList(next)) counted += Object.keys(next).length;
    // Once all are known, none of their members is looked at.
    for (const each of found < containers ? (Object.values(next) as unknown[]) : []) {
      if (typeof each !== 'object' || each === null) continue;
      waiting.push(each);
      found++;
    }
  }
  return members === counted;
}

function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(json, end, start)) end = json.indexOf('"', end + 1);
  return end === -1 ? json.length : end;
}

function isEscaped(json: string, at: number, start: number): boolean {
  let backslash = at;
  while (backslash - 1 > start && json[backslash - 1] === '\\') backslash--;
  return (at - backslash) % 2 === 1;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** What may follow within a number: digits, the point, `e`, `E` and signs. */
function isNumeral(code: number): boolean {
  return isDigit(code) || code === 46 || code === 69 || code === 101 || code === 43 || code === 45;
}

class Unreadable extends Error {}

const patterns = {
  space: /\s*/y,
  word: /[\w.+-]+/y,
  name: /[a-z_$][\w$]*/iy,
  inDoubleQuotes: /[^"\\]*/y,
  inSingleQuotes: /[^'\\]*/y,
  fourHexDigits: /[\da-f]{4}/iy,
  twoHexDigits: /[\da-f]{2}/iy,
};

const closing: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' };

const words: Readonly<Record<string, boolean | null>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  null: null,
  None: null,
};

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** Reads what models write for JSON. It completes nothing and guesses no word: what it cannot read, it refuses. */
class TolerantReader {
  readonly #text: string;
  readonly #reading: Reading;
  readonly #path: (string | number)[] = [];
  #at = 0;

  constructor(text: string, reading: Reading) {
    this.#text = text;
    this.#reading = reading;
  }

  /** Undefined where the text is not one value from its first to its last character. */
  read(): unknown {
    try {
      const value = this.#value();
      this.#skipSpace();
      return this.#at === this.#text.length ? value : undefined;
    } catch (error) {
      if (error instanceof Unreadable) return undefined;
      throw error;
    }
  }

  #value(): unknown {
    this.#skipSpace();
    const start = this.#text[this.#at] ?? '';
    if (start === '"' || start === "'") return this.#string(start);
    if (Object.hasOwn(closing, start)) return this.#container(start);
    const token = this.#match(patterns.word);
    if (Object.hasOwn(words, token)) return words[token];
    const { wantsText } = this.#reading;
    if (wantsText && integerOf(token) === undefined && isNumber(token)) {
      if (wantsText(this.#path) ?? this.#fail()) return token;
    }
    return (
      numberOf(token) ?? this.#fail(isNumber(token) ? `the number ${shortened(token, 60)} would be rounded` : undefined)
    );
  }

  #container(open: string): unknown {
    if (this.#path.length >= maxDepth) this.#fail();
    this.#at++;
    const members = {};
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
    return open === '{' ? members : items;
  }

  #valueAt(key: string | number): unknown {
    this.#path.push(key);
    const value = this.#value();
    this.#path.pop();
    return value;
  }

  #member(members: object): void {
    this.#skipSpace();
    const mark = this.#text[this.#at];
    const isQuoted = mark === '"' || mark === "'";
    const name = isQuoted ? this.#string(mark) : this.#match(patterns.name) || this.#fail();
    // Python's {None: 1} has no text for a name, and JavaScript's has one.
    if (!isQuoted && Object.hasOwn(words, name)) this.#fail();
    if (!this.#takes(':')) this.#fail();
    if (Object.hasOwn(members, name)) this.#fail(`the name ${quote(name, 60)} stands twice`);
    // An assignment to __proto__ would set the prototype.
    Object.defineProperty(members, name, {
      value: this.#valueAt(name),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }

  #string(quote: string): string {
    this.#at++;
    const parts: string[] = [];
    for (;;) {
      parts.push(this.#match(quote === '"' ? patterns.inDoubleQuotes : patterns.inSingleQuotes));
      const end = this.#text[this.#at++];
      if (end === quote) return parts.join('');
      if (end === undefined) this.#fail();
      parts.push(this.#escape());
    }
  }

  #escape(): string {
    const letter = this.#text[this.#at++] ?? '';
    if (letter === 'u' || letter === 'x') {
      const digits = this.#match(letter === 'u' ? patterns.fourHexDigits : patterns.twoHexDigits);
      return String.fromCharCode(parseInt(digits || this.#fail(), 16));
    }
    return escapes[letter] ?? this.#fail();
  }

  #takes(character: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #skipSpace(): void {
    if (this.#text.charCodeAt(this.#at) <= 32) this.#match(patterns.space);
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return '';
    const start = this.#at;
    this.#at = pattern.lastIndex;
    return this.#text.slice(start, this.#at);
  }

  #fail(problem?: string): never {
    if (problem !== undefined) this.#reading.onProblem?.(problem);
    throw new Unreadable();
  }
}
