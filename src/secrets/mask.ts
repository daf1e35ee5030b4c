import { base64Of, bytesOf, hexOf } from '../json/index.js';
import { decodingsOf } from './decoding.js';
import { searchFor, shortestAnywhere } from './search.js';
import { hidden, secretSpans, withHidden } from './text.js';

/** Keeps secrets out of texts: every value that it holds, wherever it turns up, and whatever looks like a secret. */
export interface SecretMask {
  /**
   * Masks, then cuts: a server may have sent a text of any length.
   *
   * @param longest characters of the masked text; default 100,000
   */
  (text: string, longest?: number): string;
  /** A JSON value for programs with what the mask holds hidden; what only looks like a secret stays. */
  known(value: unknown): unknown;
  /** Adds credentials that came up later, such as a renewed token: of all that were added, it hides the latest. */
  add(...values: string[]): void;
  /** A mask that hides these as well, for what belongs to one request. */
  with(values: Iterable<string>): SecretMask;
}

/** Shorter values cannot be hidden: every text has some of them, and who sees where they are missing knows them. */
const shortestSecret = 4;

/** Nobody reads a message that is longer. */
const longestShown = 100_000;

/** Characters of what was added later: as many as one call may have to hide. */
const mostAdded = 50_000;

/** Characters beyond what is wanted of a text: what is hidden may be longer than what stands for it. */
const lookahead = 20_000;

/** @param values what must not be shown; what is too short to be a secret is left out */
export function secretMask(values: Iterable<string> = []): SecretMask {
  const given = [...values];
  const added = new Set<string>(); // the latest last
  let search: ReturnType<typeof searchFor> | undefined; // made once something is to be masked

  const knownSpans = (text: string) => {
    search ??= searchFor(new Set([...given, ...added].flatMap(formsOf)));
    const spansIn = search;
    return decodingsOf(text).flatMap(({ text: read, spanOf }) => spansIn(read).map(spanOf));
  };
  const mask = (whole: string, longest = longestShown) => {
    const text = whole.slice(0, longest + lookahead);
    // All are found in the same text: none hides a part of what another one would have found.
    const shown = withHidden(text, [...knownSpans(text), ...secretSpans(text)]);
    // The end of a text that was cut may be a part of a secret.
    const end = text.length < whole.length ? Math.max(0, shown.length - lookahead / 2) : Infinity;
    return shown.slice(0, Math.min(longest, end));
  };
  const add = (...more: string[]) => {
    for (const value of more) {
      // A token is added with every request.
      if (!added.delete(value)) search = undefined;
      added.add(value);
    }
    let length = [...added].reduce((sum, value) => sum + value.length, 0);
    for (const oldest of added) {
      if (length <= mostAdded) break;
      added.delete(oldest);
      length -= oldest.length;
    }
  };
  return Object.assign(mask, {
    add,
    with: (more: Iterable<string>) => secretMask([...given, ...added, ...more]),
    known: (value: unknown) => withTexts(value, (text) => withHidden(text, knownSpans(text))),
  });
}

/** What is looked for of a value: itself, also as in a form, its lines, and the whole as Base64 and hex. */
function formsOf(value: string): string[] {
  const bytes = bytesOf(value);
  const [base64, hex] = [base64Of(bytes), hexOf(bytes)];
  const bare = base64.replace(/=+$/, '');
  const lines = value.split(/\s*\n\s*/).filter((line) => line.length >= shortestAnywhere);
  const plain = [value.trim(), value.trim().replaceAll(' ', '+'), ...lines];
  const encoded = [base64, bare, bare.replaceAll('+', '-').replaceAll('/', '_'), hex, hex.toUpperCase()];
  return value.trim().length < shortestSecret ? [] : [...plain, ...encoded];
}

/** Levels of a value that are kept: JSON of a server may nest deeper than a stack. */
const mostLevels = 100;

/** A JSON value with each of its texts replaced, names as well, and each number that is a secret as a whole. */
function withTexts(value: unknown, replace: (text: string) => string, level = 0): unknown {
  if (typeof value === 'string') return replace(value);
  if (typeof value === 'number') return replace(String(value)) === hidden ? hidden : value;
  if (typeof value !== 'object' || value === null) return value;
  if (level === mostLevels) return '…';
  const copyOf = (member: unknown) => withTexts(member, replace, level + 1);
  if (Array.isArray(value)) return value.map(copyOf);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [replace(name), copyOf(member)]));
}
