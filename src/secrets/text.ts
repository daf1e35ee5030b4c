import { bytesOfBase64, textOfBytes } from '../json/index.js';
import { isNameOfSomeKey, isSecretName } from './names.js';
import { isHarmless, signOfToken, tokenInText } from './tokens.js';

/** What stands where a secret would. */
export const hidden = '[hidden]';

/** From one character until before another. */
export type Span = readonly [start: number, end: number];

/** The text with each of the spans hidden; those that overlap or touch become one. */
export function withHidden(text: string, spans: readonly Span[]): string {
  let shown = '';
  let done = 0;
  for (const [start, end] of spans.toSorted((one, other) => one[0] - other[0])) {
    if (start > done || shown === '') shown += text.slice(done, start) + hidden;
    done = Math.max(done, end);
  }
  return shown + text.slice(done);
}

/**
 * The text with whatever is likely to be a secret in it hidden: tokens of well-known services, private keys, what
 * follows `Bearer` and `Basic`, passwords in URLs and connection strings, values assigned to the name of a secret.
 */
export function hideSecretsIn(text: string): string {
  return withHidden(text, secretSpans(text));
}

/** Where likely secrets stand. Time is linear: what each expression repeats is bounded, or ends what it looks at. */
export function secretSpans(text: string): Span[] {
  if (isHarmless(text)) return [];
  const spans: Span[] = [];
  for (const { sign, shape, isOne } of shapes) {
    if (!sign.test(text)) continue;
    for (const { 0: whole, 1: secret = whole, index } of text.matchAll(shape)) {
      const end = index + whole.length;
      if (isOne === undefined || isOne(secret, whole)) spans.push([end - secret.length, end]);
    }
  }
  return /[=:]/.test(text) ? [...spans, ...assigned(text)] : spans;
}

/** Characters of a text that are looked at where the whole of it is judged. */
const lookedAt = 500;

/** What secrets look like in a text: the whole of a match, or its group, at its end. */
const shapes: { sign: RegExp; shape: RegExp; isOne?: (secret: string, whole: string) => boolean }[] = [
  {
    sign: /-----BEGIN/,
    shape:
      /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[^-]|-(?!----END)){0,20000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|-{0,5}$)?/g,
  },
  { sign: signOfToken, shape: tokenInText },
  {
    sign: /(?:bearer|basic)\s/i,
    shape: /(?<![A-Za-z0-9])(?:authorization\s?[:=]\s?)?(?:Bearer|Basic)\s+([\w.~+/=-]{8,})/gi,
    isOne: (value, whole) => (/basic\s/i.test(whole) ? decodesToPair(value) : isBearer(value, whole)),
  },
  {
    sign: /:\/\//,
    shape: /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/?#@:"'<>]{0,200}:([^\s/"'<>]{1,1000})(?=@)/gi,
  },
  {
    sign: /:\/\//,
    shape: /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:\/\/([^\s/?#@:"'<>]{16,500})(?=@)/gi,
    isOne: (user) => looksRandom(user),
  },
];

function decodesToPair(value: string): boolean {
  return textOfBytes(bytesOfBase64(value.slice(0, 1000))).includes(':');
}

/** 'Bearer authentication' and 'bearer certificates' are no credentials. */
function isBearer(value: string, whole: string): boolean {
  if (/^(?:auth\w*|tokens?|credentials?|schemes?|challenge)\b/i.test(value) && !/\d/.test(value)) return false;
  return whole.includes('Bearer') || /^authorization/i.test(whole) || /[^a-z]/.test(value);
}

/** `name=` as in queries, options and connection strings, `"name": ` as in JSON, `Name: ` as in headers. */
const assignment = /(?=[=:])(?<=([A-Za-z][\w.-]{0,60})(\\?["'])?\s?)(?:=>?|:=?)\s?/g;

/** The text behind it in its quotes, or up to what cannot belong to it, with the scheme of a header. */
const assignedValue =
  /"[^"\\\n]*(?:\\.[^"\\\n]*){0,9999}"?|'[^'\\\n]*(?:\\.[^'\\\n]*){0,9999}'?|\\"[^"\\\n]*(?:\\\\\\?.[^"\\\n]*){0,9999}(?:\\")?|(?:(?:Bearer|Basic|Token|Digest|Bot|Key|Api-?Key|SSWS)\s)?[^\s&;,"'{}[\]\\]+/iy;

function* assigned(text: string): Generator<Span> {
  let done = 0;
  for (const { 0: sign, 1: name = '', 2: quote, index } of text.matchAll(assignment)) {
    const start = index + sign.length;
    if (start < done || !(isSecretName(name) || isNameOfSomeKey(name))) continue;
    // Of what may be no secret, only the beginning is looked at: others may be assigned in it.
    if (!isAssigned(name, sign, quote !== undefined, valueAt(0, text.slice(start, start + lookedAt)))) continue;
    done = start + valueAt(start, text).length;
    yield [start, done];
  }
}

function valueAt(start: number, text: string): string {
  assignedValue.lastIndex = start;
  return assignedValue.exec(text)?.[0] ?? '';
}

function isAssigned(name: string, sign: string, isQuoted: boolean, value: string): boolean {
  const bare = unquoted(value);
  if (bare === '' || /^(?:true|false|null|none|undefined|\$\{?\w*\}?|%\w+%|<[\w-]*>?|\*+)$/i.test(bare)) return false;
  if (!isSecretName(name)) return looksRandom(bare);
  // 'Invalid token: expected a number' is prose; in it nothing but what looks like a secret is one.
  const isProse = sign.includes(':') && !isQuoted && (bare === value || bare.length < 4);
  return !isProse || looksRandom(bare.replace(/^\S+\s/, ''), 6);
}

/** A text without the quotes around it, as they stand in JSON, and in JSON in JSON. */
export function unquoted(text: string): string {
  return text.replace(/^\\?(["'])(.*?)\\?\1?$/s, '$2');
}

/** Long, in one piece, of letters and digits both. */
export function looksRandom(text: string, shortest = 20): boolean {
  const beginning = text.slice(0, lookedAt);
  return (
    beginning.length >= shortest && /^[\w+/=.-]+$/.test(beginning) && /\d/.test(beginning) && /[A-Za-z]/.test(beginning)
  );
}

/** Whether a step of a URL's path is rather a token than a name: one piece without words, or a UUID. */
export function looksLikeToken(text: string): boolean {
  const beginning = text.slice(0, lookedAt);
  if (/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.test(beginning)) return true;
  const isMixed = looksRandom(beginning, 32) && /[a-z]/.test(beginning) && /[A-Z]/.test(beginning);
  return isMixed || beginning.split(/[^A-Za-z0-9]/).some((piece) => looksRandom(piece, 16));
}
