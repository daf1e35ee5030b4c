import { base64Of, bytesOf, decodedUrl, hexOf, parseJson, replaceTokens } from '../json/index.js';
import { hidden, secretSpans, type Span, withHidden } from './in-text.js';
import { copyWith } from './in-values.js';

/** Hides the values that it holds in a text, and whatever looks like a secret. */
export interface SecretMask {
  /** @param longest characters of the masked text; default 100,000 */
  (text: string, longest?: number): string;
  /** Hides the mask's secrets in a JSON value; values that only look like secrets stay. */
  known(value: unknown): unknown;
  /** The same in a JSON text, which stays as it is written otherwise. */
  knownInJson(text: string): string;
  /**
   * Adds secrets. Beyond the limit, only the latest of those that were added (renewed tokens, for example) are hidden.
   */
  add(values: Iterable<string>): void;
  with(values: Iterable<string>): SecretMask;
}

/** Shorter values cannot be hidden: every text contains some of them, and the gaps would reveal them. */
export const shortestSecret = 4;

/** Shorter values are words rather than secrets: they are hidden only as whole words. */
const shortestAnywhere = 6;

/** Characters compared for one text or value, all secrets together: about a second. Whatever is beyond is hidden. */
const mostCompared = 1_000_000_000;

/** Characters of added secrets: as many as one call may have to hide. */
const mostAdded = 50_000;

/** Characters to read beyond the end of a text: a secret may be longer than its replacement. */
const lookahead = 20_000;

export function secretMask(values: Iterable<string> = []): SecretMask {
  const given = [...values];
  let added: readonly string[] = []; // the latest first
  let variants: readonly string[] | undefined; // made once something is to be masked

  const knownSpans = (text: string, budget = { left: mostCompared }): Span[] => {
    const count = given.length + added.length;
    if (count === 0) return [];
    // The cost of making the variants, once, and of decoding the text.
    budget.left -= (variants ? 0 : count * 10_000) + text.length * 40;
    if (budget.left < 0) return [[0, text.length]];
    const wanted = (variants ??= [...new Set([...given, ...added].flatMap(variantsOf))]);
    const used = encodings.filter(([escape]) => escape.test(text));
    budget.left -= (used.length + 1) * wanted.length * (text.length + 50); // to look into a text at all costs as much
    if (budget.left < 0) return [[0, text.length]];
    return [...spansOf(wanted, text), ...used.flatMap((encoding) => [...decodedSpans(wanted, text, encoding)])];
  };
  const mask = (whole: string, longest = 100_000) => {
    const text = whole.slice(0, longest + lookahead);
    // All are found in the same text: none hides a part of another one's match.
    const shown = withHidden(text, [...knownSpans(text), ...secretSpans(text)]);
    // The end of a text that was cut may be a part of a secret.
    const end = text.length < whole.length ? Math.max(0, shown.length - lookahead / 2) : Infinity;
    return shown.slice(0, Math.min(longest, end));
  };
  return Object.assign(mask, {
    known(whole: unknown) {
      const budget = { left: mostCompared };
      return copyWith(whole, (value) => {
        if (typeof value !== 'string' && typeof value !== 'number') return value;
        const shown = withHidden(String(value), knownSpans(String(value), budget));
        return typeof value === 'string' || shown === hidden ? shown : value;
      });
    },
    knownInJson(json: string) {
      const budget = { left: mostCompared };
      const isHidden = (text: string) => withHidden(text, knownSpans(text, budget)) === hidden;
      return replaceTokens(json, (token) => {
        if (/^-?\d/.test(token)) return isHidden(token) || isHidden(String(Number(token))) ? `"${hidden}"` : token;
        if (!token.startsWith('"')) return token;
        const text = String(parseJson(token));
        const spans = knownSpans(text, budget);
        return spans.length === 0 ? token : JSON.stringify(withHidden(text, spans));
      });
    },
    add(more: Iterable<string>) {
      const latest = [...more];
      if (latest.length === 0) return;
      let left = mostAdded;
      // One that is too long would take the place of all others.
      added = [...new Set([...latest, ...added])].filter(({ length }) => length <= mostAdded && (left -= length) >= 0);
      variants = undefined;
    },
    with: (more: Iterable<string>) => secretMask([...given, ...added, ...more]),
  });
}

/**
 * The forms in which a value is searched for: as it is, as web forms encode it, by line, and the whole in Base64 and
 * hex.
 */
function variantsOf(value: string): string[] {
  const trimmed = value.trim();
  if (trimmed.length < shortestSecret) return [];
  const [base64, hex] = [base64Of(bytesOf(value)), hexOf(bytesOf(value))];
  const bare = base64.replace(/=+$/, '');
  const lines = value.split(/\s*\n\s*/).filter((line) => line.length >= shortestAnywhere);
  const encoded = [base64, bare, bare.replaceAll('+', '-').replaceAll('/', '_'), hex, hex.toUpperCase()];
  return [trimmed, trimmed.replaceAll(' ', '+'), ...lines, ...encoded];
}

/** A long variant counts once its first characters match, as far as it goes on: indexOf is quadratic for longer ones. */
export function* spansOf(variants: readonly string[], text: string): Generator<Span> {
  for (const variant of variants) {
    const head = variant.slice(0, 200);
    for (let start = text.indexOf(head), end; start >= 0; start = text.indexOf(head, end)) {
      end = start + head.length;
      while (end - start < variant.length && text.charCodeAt(end) === variant.charCodeAt(end - start)) end++;
      const isInWord = /[\p{L}\p{N}]/u.test(`${text[start - 1] ?? ''} ${text[end] ?? ''}`);
      if (!isInWord || variant.length >= shortestAnywhere) yield [start, end];
    }
  }
}

type Encoding = readonly [escape: RegExp, decode: (escape: string) => string];

/** The escapes of JSON (`\"`, `\u00e9`), of URLs (`%2F`, `%c3%a9`) and of HTML (`&amp;`, `&#39;`). */
const encodings: readonly Encoding[] = [
  // A JSON escape in quotes always decodes to a string.
  [/(\\(?:u[0-9a-f]{4}|[^]))/i, (escape) => (parseJson(`"${escape}"`) as string | undefined) ?? escape.slice(1)],
  [/(%(?:[0-7][0-9a-f]|[cd]\w%[89ab]\w|e\w(?:%[89ab]\w){2}|f\w(?:%[89ab]\w){3}))/i, decodedUrl],
  [/(&(?:#\d{1,7}|#x[0-9a-f]{1,6}|amp|lt|gt|quot|apos|nbsp);)/i, decodedHtml],
];

/** The spans of a text that contain a variant once the escapes are decoded. */
function* decodedSpans(variants: readonly string[], text: string, [escape, decode]: Encoding): Generator<Span> {
  const starts: number[] = []; // of each decoded character
  let at = 0;
  const parts = text.split(escape).map((part, index) => {
    const isEscape = index % 2 === 1;
    const characters = isEscape ? decode(part) : part;
    for (let read = 0; read < characters.length; read++) starts.push(isEscape ? at : at + read);
    at += part.length;
    return characters;
  });
  for (const [start, end] of spansOf(variants, parts.join(''))) yield [starts[start] ?? at, starts[end] ?? at];
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function decodedHtml(escape: string): string {
  const name = escape.slice(1, -1).toLowerCase();
  return named[name] ?? String.fromCodePoint(Math.min(Number(name.replace('#x', '0x').replace('#', '')), 0x10ffff));
}
