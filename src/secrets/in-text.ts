import { isSecretName, mayNameSecret } from './names.js';
import { tokenInText } from './tokens.js';

export type Span = readonly [start: number, end: number];

export const hidden = '[hidden]';

export function withHidden(text: string, spans: Iterable<Span>): string {
  let shown = '';
  let done = 0;
  for (const [start, end] of [...spans].sort((one, other) => one[0] - other[0])) {
    if (start > done || shown === '') shown += text.slice(done, start) + hidden;
    done = Math.max(done, end);
  }
  return shown + text.slice(done);
}

export function hideSecretsIn(text: string): string {
  return withHidden(text, secretSpans(text));
}

/** Hides what is a secret by its shape alone: names such as `password: ` say nothing here. */
export function hideTokensIn(text: string): string {
  return withHidden(text, tokenSpans(text));
}

/** Time is linear: what each expression repeats is bounded, or ends what it looks at. */
export function* secretSpans(text: string): Generator<Span> {
  yield* tokenSpans(text);
  yield* assignedSpans(text);
}

function* tokenSpans(text: string): Generator<Span> {
  for (const { 0: whole, 1: secret = whole, index } of shapes.flatMap((shape) => [...text.matchAll(shape)])) {
    const end = index + whole.length;
    yield [end - secret.length, end];
  }
}

/** All of a match is a secret, or its group, at its end. */
const shapes: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[^-]|-(?!----END)){0,20000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|-{0,5}$)?/g,
  tokenInText,
  // 'Bearer authentication' is prose.
  /(?<![A-Za-z0-9])(?:authorization\s?[:=]\s?(?:Bearer|Basic)\s+|(?:Bearer|Basic)\s+(?=[\w.~+/-]*[\d=]|[\w.~+/-]{20}))([\w.~+/=-]{8,})/gi,
  // A user without a password may be a name: that has to look random.
  /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:\/\/(?:[^\s/?#@:"'<>]{0,200}:|(?=[a-z+=._-]*\d)(?=[\d+=._-]*[a-z])(?=[\w+=.-]{20,1000}@))([^\s/"'<>]{1,1000})(?=@)/gi,
];

const mostJudged = 500;

/** `name=` as in queries, options and connection strings, `"name": ` as in JSON, `Name: ` as in headers. */
const assignment = /(?=[=:])(?<=([A-Za-z][\w.-]{0,60})(\\?["'])?\s?)(?:=>?|:=?)\s?/g;

/** The text in quotes, or up to a character that cannot belong to it, with the scheme of a header. */
const assignedValue =
  /^(?:"[^"\\\n]*(?:\\.[^"\\\n]*){0,9999}"?|'[^'\\\n]*(?:\\.[^'\\\n]*){0,9999}'?|\\"[^"\\\n]*(?:\\\\\\?.[^"\\\n]*){0,9999}(?:\\")?|(?:(?:Bearer|Basic|Token|Digest|Bot|Key|Api-?Key|SSWS)\s)?[^\s&;,"'{}[\]\\]+)/i;

function* assignedSpans(text: string): Generator<Span> {
  let done = 0;
  for (const { 0: sign, 1: name = '', 2: quote, index } of text.matchAll(assignment)) {
    const start = index + sign.length;
    if (start < done || !mayNameSecret(name)) continue;
    // A value that is no secret may hold assignments itself: of that, no more is read than it is judged by.
    const [value = ''] = assignedValue.exec(text.slice(start, start + mostJudged)) ?? [];
    if (!isAssignedSecret(name, value, sign.includes(':') && quote === undefined)) continue;
    const [whole = ''] = assignedValue.exec(text.slice(start)) ?? [];
    done = start + whole.length;
    yield [start, done];
  }
}

/** @param mayBeProse true in a text such as 'Invalid token: expected a number': only a value that looks random counts */
function isAssignedSecret(name: string, value: string, mayBeProse: boolean): boolean {
  const bare = unquoted(value);
  if (bare === '' || /^(?:true|false|null|none|undefined|\$\{?\w*\}?|%\w+%|<[\w-]*>?|\*+)$/i.test(bare)) return false;
  if (!isSecretName(name)) return looksRandom(bare);
  const isProse = mayBeProse && (bare === value || bare.length < 4);
  return !isProse || looksRandom(bare.replace(/^\S+\s/, ''), 6);
}

/** Without the quotes of JSON, or of JSON in JSON. */
export function unquoted(text: string): string {
  return text.replace(/^\\?(["'])(.*?)\\?\1?$/s, '$2');
}

export function looksRandom(text: string, shortest = 20): boolean {
  const beginning = text.slice(0, mostJudged);
  return beginning.length >= shortest && /^(?=.*\d)(?=.*[A-Za-z])[\w+/=.-]+$/.test(beginning);
}

/** True if a step of a URL's path is a token rather than a name: one piece without words, or a UUID. */
export function looksLikeToken(text: string): boolean {
  const beginning = text.slice(0, mostJudged);
  if (/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.test(beginning)) return true;
  const isMixed = looksRandom(beginning, 32) && /[a-z]/.test(beginning) && /[A-Z]/.test(beginning);
  return isMixed || beginning.split(/[^A-Za-z0-9]/).some((piece) => looksRandom(piece, 16));
}
