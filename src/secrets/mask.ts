import { readingsOf, type Span } from './readings.js';
import { hidden, hideSecretsIn } from './values.js';

/** What must not be shown. A text alone is a credential. */
export type Secret = string | { readonly value: string; readonly isCredential: boolean };

/** Keeps secrets out of texts: every value it was told about, wherever it turns up, and whatever looks like a secret. */
export interface SecretMask {
  /**
   * Masks, then cuts: a server may have sent a text of any length.
   *
   * @param longest how many characters of the masked text are wanted; 100,000, if nothing is said
   */
  (text: string, longest?: number): string;
  /** A JSON value for programs with what the mask was told about hidden; what only looks like a secret stays. */
  known(value: unknown): unknown;
  /** Adds credentials that came up later, such as a renewed token: of all that were added, it hides the latest. */
  add(...values: Secret[]): void;
  /** A mask that hides these as well, for what belongs to one request. */
  with(values: Iterable<Secret>): SecretMask;
}

/** Shorter values are rather words than secrets: they are hidden only where they stand alone. */
const shortestAnywhere = 6;

/** Still shorter ones cannot be hidden: every text has some of them, and who sees where they are missing knows them. */
const shortestSecret = 4;

/** The shortest part of a secret that is hidden. */
const partLength = 8;

/** Longer values are found by their parts alone: an expression has room for so much. */
const longestWhole = 1_000;

/** A part of what is no credential may be a word of its own, unless it is as long as this or has a digit. */
const plainPartLength = 16;

/** Nobody reads a message that is longer. */
const longestShown = 100_000;

/** Of what was added later, so many characters: as many as one call may have to hide. */
const mostAdded = 400_000;

/** How far beyond what is wanted of a text it is looked at: what is hidden may be longer than what stands for it. */
const lookahead = 20_000;

/** @param values what must not be shown; what is too short to be a secret is left out */
export function secretMask(values: Iterable<Secret> = []): SecretMask {
  const given: readonly Secret[] = [...values];
  const added = new Map<string, Secret>(); // by their texts, the latest last
  let addedLength = 0;
  let known: Known | undefined; // made of the secrets once something is to be masked

  const hideKnown = (text: string) => {
    known ??= knownOf([...given, ...added.values()]);
    return known.search ? hide(text, known) : text;
  };
  const mask = (text: string, longest = longestShown) =>
    hideSecretsIn(hideKnown(text.slice(0, longest + lookahead))).slice(0, longest);
  const add = (...more: Secret[]) => {
    for (const secret of more) {
      const text = valueOf(secret);
      // A token is added with every request.
      if (added.delete(text)) addedLength -= text.length;
      else known = undefined;
      added.set(text, secret);
      addedLength += text.length;
    }
    for (const oldest of added.keys()) {
      if (addedLength <= mostAdded) break;
      added.delete(oldest);
      addedLength -= oldest.length;
      known = undefined;
    }
  };
  return Object.assign(mask, {
    add,
    with: (more: Iterable<Secret>) => secretMask([...given, ...added.values(), ...more]),
    known: (value: unknown) => withTexts(value, hideKnown),
  });
}

function valueOf(secret: Secret): string {
  return typeof secret === 'string' ? secret : secret.value;
}

/** What finds secrets: whole values, and their parts, of which is known whether they belong to a credential. */
interface Known {
  readonly search: RegExp | undefined;
  readonly parts: ReadonlyMap<string, boolean>;
}

function knownOf(secrets: readonly Secret[]): Known {
  const wholes = new Set<string>();
  const parts = new Map<string, boolean>();
  for (const secret of secrets) {
    const { value, isCredential } = typeof secret === 'string' ? { value: secret, isCredential: true } : secret;
    const whole = folded(value);
    for (const form of [whole, whole.trim()])
      if (form.length >= (isCredential ? shortestSecret : shortestAnywhere) && form.length <= longestWhole)
        wholes.add(form);
    for (let at = 0; at + partLength <= whole.length; at++) {
      const part = whole.slice(at, at + partLength);
      parts.set(part, isCredential || parts.get(part) === true);
    }
    for (const line of value.split(/\r?\n/))
      if (line.trim().length >= shortestAnywhere) wholes.add(folded(line.trim()).slice(0, longestWhole));
  }
  return { search: searchFor(wholes), parts };
}

/** Letters in small, and a space for the plus that stands for one in a form; as long as it was. */
function folded(text: string): string {
  const small = text.toLowerCase();
  const same = small.length === text.length ? small : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return same.replaceAll('+', ' ');
}

/** Finds each of the values, the longest first: a secret may contain another one. */
function searchFor(values: ReadonlySet<string>): RegExp | undefined {
  const alternatives = [...values]
    .sort((a, b) => b.length - a.length)
    .map((value) => {
      const literal = value.replace(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);
      return value.length < shortestAnywhere ? String.raw`(?<![\p{L}\p{N}])${literal}(?![\p{L}\p{N}])` : literal;
    });
  return alternatives.length === 0 ? undefined : new RegExp(alternatives.join('|'), 'gu');
}

function hide(text: string, known: Known): string {
  const readings = readingsOf(text);
  if (readings === undefined) return hidden;
  const spans = readings.flatMap((reading) =>
    [...spansIn(folded(reading.text), known)].map(([from, to]) => reading.place(from, to)),
  );
  let shown = '';
  let done = 0;
  for (const [start, end] of spans.sort((a, b) => a[0] - b[0])) {
    if (start > done || done === 0) shown += text.slice(done, start) + hidden;
    done = Math.max(done, end);
  }
  return shown + text.slice(done);
}

/** Where secrets stand in a text, and what a cut, or a change elsewhere in them, has left of others. */
function* spansIn(text: string, { search, parts }: Known): Generator<Span> {
  let rest = text;
  if (search !== undefined) {
    for (const { 0: whole, index } of text.matchAll(search)) yield [index, index + whole.length];
    rest = text.replace(search, (whole) => '\0'.repeat(whole.length));
  }
  const partAt = (at: number) => parts.get(rest.slice(at, at + partLength));
  for (let at = 0; at + partLength <= rest.length; at++) {
    let known = partAt(at);
    if (known === undefined) continue;
    let isCredential = false;
    let end = at + partLength - 1;
    for (; known !== undefined; known = partAt(end + 1 - partLength)) {
      isCredential ||= known;
      end++;
    }
    if (isCredential || end - at >= plainPartLength || /\d/.test(rest.slice(at, end))) yield [at, end];
    at = end - partLength + 1;
  }
}

/** Levels of a value that are kept: JSON of a server may nest deeper than a stack. */
const mostLevels = 100;

/** Characters of a value that are kept: each of them is looked at in several ways. */
const mostCharacters = 200_000;

/** A JSON value with each of its texts replaced, names as well, and each number that is a secret as a whole. */
function withTexts(whole: unknown, replace: (text: string) => string): unknown {
  let left = mostCharacters;
  return copyOf(whole, 0);

  function copyOf(value: unknown, level: number): unknown {
    if (typeof value === 'string') return textOf(value);
    if (typeof value === 'number') return textOf(String(value)) === hidden ? hidden : value;
    if (typeof value !== 'object' || value === null) return value;
    if (level === mostLevels) return '…';
    if (Array.isArray(value)) return value.map((item) => copyOf(item, level + 1));
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [textOf(name), copyOf(member, level + 1)]));
  }

  function textOf(text: string): string {
    left -= text.length;
    return left < 0 ? '…' : replace(text);
  }
}
