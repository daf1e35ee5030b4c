import { hidden, hideSecretsIn } from './values.js';

/** What must not be shown. A text alone is a credential. */
export type Secret = string | { readonly value: string; readonly isCredential: boolean };

/** Keeps secrets out of texts: every value it was told about, wherever it turns up, and whatever looks like a secret. */
export interface SecretMask {
  /**
   * Masks, then cuts: a server may have sent a text of any length.
   *
   * @param longest how many characters of the masked text are wanted
   */
  (text: string, longest?: number): string;
  /** A JSON value for programs with what the mask was told about hidden; what only looks like a secret stays. */
  known(value: unknown): unknown;
  /** Adds credentials that came up later, such as a renewed token. */
  add(...values: string[]): void;
  /** A mask that hides these as well, for what belongs to one request. */
  with(values: Iterable<Secret>): SecretMask;
}

/** Shorter values are rather words than secrets: they are hidden only where they stand alone. */
const shortestAnywhere = 6;

/** Still shorter ones cannot be hidden: every text has some of them, and who sees where they are missing knows them. */
const shortestSecret = 4;

/** The shortest part of a secret that is hidden. */
const partLength = 8;

/** A part of what is no credential may be a word of its own, unless it is as long as this or has a digit. */
const plainPartLength = 16;

/** How far beyond what is wanted of a text it is looked at: what is hidden may be longer than what stands for it. */
const lookahead = 20_000;

/** @param values what must not be shown; what is too short to be a secret is left out */
export function secretMask(values: Iterable<Secret> = []): SecretMask {
  const secrets: Secret[] = [...values];
  let known: ReturnType<typeof knownOf> | undefined; // made of the secrets once something is to be masked

  const hideKnown = (text: string) => {
    known ??= knownOf(secrets);
    return withoutParts(known.search ? text.replace(known.search, hidden) : text, known.parts);
  };
  const mask = (text: string, longest = Infinity) =>
    hideSecretsIn(hideKnown(text.slice(0, longest + lookahead))).slice(0, longest);
  const add = (...more: string[]) => {
    secrets.push(...more);
    known = undefined;
  };
  return Object.assign(mask, {
    add,
    with: (more: Iterable<Secret>) => secretMask([...secrets, ...more]),
    known: (value: unknown) => withTexts(value, hideKnown, 0),
  });
}

/** What finds secrets: whole values, and their parts, of which is known whether they belong to a credential. */
function knownOf(secrets: readonly Secret[]): { search: RegExp | undefined; parts: ReadonlyMap<string, boolean> } {
  const wholes = new Set<string>();
  const parts = new Map<string, boolean>();
  for (const secret of secrets) {
    const { value, isCredential } = typeof secret === 'string' ? { value: secret, isCredential: true } : secret;
    const shortest = isCredential ? shortestSecret : shortestAnywhere;
    for (const form of formsOf(value)) {
      if (form.length >= shortest) wholes.add(form);
      for (let at = 0; at + partLength <= form.length; at++) {
        const part = form.slice(at, at + partLength).toLowerCase();
        parts.set(part, isCredential || parts.get(part) === true);
      }
    }
    for (const line of value.split(/\r?\n/)) {
      for (const form of formsOf(line.trim())) if (form.length >= shortestAnywhere) wholes.add(form);
    }
  }
  return { search: searchFor(wholes), parts };
}

/** The ways in which a value is echoed: as it is, within JSON, within a URL or a form, encoded like Basic credentials. */
function formsOf(text: string): Set<string> {
  const json = inJson(text);
  const inUrl = encoded(text);
  const inForm = inUrl.replaceAll('%20', '+');
  const forms = new Set([text, text.trim(), json, inJson(json), inAscii(json), inUrl, inForm, lowerCodes(inUrl)]);
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length < shortestAnywhere) return forms;
  forms.add(bytes.toString('hex'));
  for (const encoding of ['base64', 'base64url'] as const) {
    forms.add(bytes.toString(encoding));
    // Behind something else, as the password of Basic credentials is: the first and the last characters depend on what
    // stands around the bytes.
    for (const before of [0, 1, 2]) {
      const within = Buffer.concat([Buffer.alloc(before), bytes]);
      const whole = within.length - (within.length % 3);
      forms.add(within.toString(encoding, before === 0 ? 0 : 3, whole));
    }
  }
  return forms;
}

function lowerCodes(url: string): string {
  return url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function inAscii(json: string): string {
  return json.replace(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    // Half a surrogate pair cannot be encoded, and so is not echoed in a URL.
    return text;
  }
}

/** Finds each of the values, the longest first: a secret may contain another one. */
function searchFor(values: ReadonlySet<string>): RegExp | undefined {
  const alternatives = [...values]
    .sort((a, b) => b.length - a.length)
    .map((value) => {
      const literal = value.replace(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);
      return value.length < shortestAnywhere ? String.raw`(?<![\p{L}\p{N}])${literal}(?![\p{L}\p{N}])` : literal;
    });
  return alternatives.length === 0 ? undefined : new RegExp(alternatives.join('|'), 'giu');
}

/** The text without what a cut, or a change elsewhere in them, has left of secrets. */
function withoutParts(text: string, parts: ReadonlyMap<string, boolean>): string {
  if (parts.size === 0) return text;
  let shown = '';
  let done = 0;
  for (let at = 0; at + partLength <= text.length; at++) {
    let known = partAt(at);
    if (known === undefined) continue;
    let isCredential = false;
    let end = at + partLength - 1;
    for (; known !== undefined; known = partAt(end + 1 - partLength)) {
      isCredential ||= known;
      end++;
    }
    if (isCredential || end - at >= plainPartLength || /\d/.test(text.slice(at, end))) {
      if (at > done || done === 0) shown += text.slice(done, at) + hidden;
      done = end;
    }
    at = end - partLength + 1;
  }
  return shown + text.slice(done);

  function partAt(at: number): boolean | undefined {
    return parts.get(text.slice(at, at + partLength).toLowerCase());
  }
}

/** Levels of a value that are kept: JSON of a server may nest deeper than a stack. */
const mostLevels = 100;

/** A JSON value with each of its texts replaced, names as well. */
function withTexts(value: unknown, replace: (text: string) => string, level: number): unknown {
  if (typeof value === 'string') return replace(value);
  if (typeof value !== 'object' || value === null) return value;
  if (level === mostLevels) return '…';
  if (Array.isArray(value)) return value.map((item) => withTexts(item, replace, level + 1));
  const members = Object.entries(value).map(([name, member]) => [replace(name), withTexts(member, replace, level + 1)]);
  return Object.fromEntries(members);
}
