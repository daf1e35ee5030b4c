import { hidden, hideSecretsIn } from './values.js';

/** Keeps secrets out of texts: every value it was told about, wherever it turns up, and whatever looks like a secret. */
export interface SecretMask {
  /** Mask first, cut afterwards: half a secret is not found. What a cut left at the ends of the text is. */
  (text: string): string;
  /** Adds values that came up later, such as a renewed token. */
  add(...values: string[]): void;
}

/** Shorter values are rather words than secrets; masking them would make messages unreadable. */
const shortestSecret = 6;

/** @param values what must not be shown; what is too short to be a secret is left out */
export function secretMask(values: Iterable<string> = []): SecretMask {
  const known = new Set<string>();
  let longestFirst: string[] = [];
  const add = (...more: string[]) => {
    for (const value of more) for (const form of formsOf(value)) if (form.length >= shortestSecret) known.add(form);
    // A secret may contain another one.
    longestFirst = [...known].sort((a, b) => b.length - a.length);
  };
  add(...values);
  const mask = (text: string) => {
    let masked = text;
    for (const secret of longestFirst) masked = masked.replaceAll(secret, hidden);
    return hideSecretsIn(withoutFragments(masked, longestFirst));
  };
  return Object.assign(mask, { add });
}

/** The ways in which a value is echoed: as it is, line by line, within JSON, within a URL. */
function* formsOf(value: string): Generator<string> {
  for (const text of new Set([value, value.trim(), ...value.split(/\r?\n/).map((line) => line.trim())])) {
    yield text;
    yield JSON.stringify(text).slice(1, -1);
    yield JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1);
    yield encoded(text);
  }
}

function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    // Half a surrogate pair cannot be encoded, and so is not echoed in a URL.
    return text;
  }
}

/** What a cut through a secret left of it, at the beginning and at the end of the text. */
function withoutFragments(text: string, secrets: readonly string[]): string {
  const start = /^(?:…|\.\.\.)?\s*/.exec(text)?.[0].length ?? 0;
  let from = start;
  let to = text.length;
  for (const secret of secrets) {
    from = Math.max(from, start + overlap(secret.slice(1), text.slice(start, start + secret.length - 1)));
    to = Math.min(to, text.length - overlap(text.slice(1 - secret.length), secret.slice(0, -1)));
  }
  if (from === start && to === text.length) return text;
  if (from >= to) return hidden;
  return `${text.slice(0, start)}${from > start ? hidden : ''}${text.slice(from, to)}${to < text.length ? hidden : ''}`;
}

/** Fewer characters may be a word that happens to stand there, too. */
const shortestFragment = 8;

/** How many characters, if enough to tell, the end of one text shares with the beginning of another. */
function overlap(ending: string, beginning: string): number {
  for (let length = Math.min(ending.length, beginning.length); length >= shortestFragment; length--) {
    const shared = beginning.slice(0, length);
    if (ending.endsWith(shared)) return /\d/.test(shared) || length >= 2 * shortestFragment ? length : 0;
  }
  return 0;
}
