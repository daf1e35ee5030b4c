import { isList, isObject } from '../json/index.js';
import { isNameOfSomeKey, isSecretName } from './names.js';

/** What stands where a secret would. */
export const hidden = '[hidden]';

/**
 * Whether a value is likely to be a secret, or part of one: by the names on the way to it, by its own shape, or because
 * it looks random under the name of some key. What can only be true or false gives nothing away.
 *
 * @param path the names and indexes that lead to the value
 */
export function isSecret(path: readonly (string | number)[], value: unknown): boolean {
  if (typeof value === 'boolean' || value === null || value === undefined) return false;
  let last = '';
  for (const step of path) {
    if (typeof step !== 'string') continue;
    if (isSecretName(step)) return true;
    last = step;
  }
  return typeof value === 'string' && isSecretText(value, last);
}

/** The same of a text whose name does not make it one. */
export function isSecretText(text: string, name = ''): boolean {
  if (isHarmless(text)) return false;
  const beginning = text.slice(0, lookedAt);
  return wholeShape.test(beginning) || (looksRandom(beginning) && isNameOfSomeKey(name));
}

/**
 * The name of a member: its own, or that which stands beside it, as in `{"name": "Authorization", "value": "…"}` and in
 * lists of pairs, `[["authorization", "…"]]`.
 *
 * @param isListed whether what holds the member is itself an item of a list
 */
export function nameIn(holder: unknown, step: string | number, isListed: boolean): string {
  if (isListed && isList(holder) && holder.length === 2 && Number(step) === 1) {
    if (typeof holder[0] === 'string') return holder[0];
  } else if ((step === 'value' || step === 'values') && isObject(holder)) {
    for (const name of namingMembers) if (typeof holder[name] === 'string') return holder[name];
  }
  return String(step);
}

/** In which the name of the member beside them may stand. */
const namingMembers = ['name', 'key', 'header', 'field'];

/** The names that lead to a value, as {@link nameIn} tells them. */
export function namesTo(root: unknown, path: readonly (string | number)[]): string[] {
  const names: string[] = [];
  let holder = root;
  let isListed = false;
  for (const step of path) {
    names.push(nameIn(holder, step, isListed));
    isListed = isList(holder);
    const members = holder as Record<string, unknown>; // of a list as well, where it is one of these
    holder = (isListed || isObject(holder)) && Object.hasOwn(members, step) ? members[step] : undefined;
  }
  return names;
}

/** Characters of a text that are looked at where the whole of it is judged. */
const lookedAt = 500;

/** Tokens of well-known services, and JSON Web Tokens. */
const serviceToken = [
  String.raw`(?:sk|rk)[-_][\w-]{16,}`,
  String.raw`gh[a-z]_\w{20,}`,
  String.raw`github_pat_\w+`,
  String.raw`glpat-[\w-]+`,
  String.raw`xox[a-z]-[\w-]+`,
  String.raw`A[KS]IA[0-9A-Z]{16}`,
  String.raw`AIza[\w-]{30,}`,
  String.raw`ya29\.[\w-]+`,
  String.raw`npm_\w{30,}`,
  String.raw`hf_\w{20,}`,
  String.raw`eyJ[\w-]{8,}\.[\w-]+\.[\w-]*`,
].join('|');

const wholeShape = new RegExp(String.raw`^(?:${serviceToken}|-----BEGIN [A-Z ]*PRIVATE KEY|Bearer \S{8})`, 'i');

/**
 * The text with whatever is likely to be a secret in it hidden: tokens of well-known services, private keys, what
 * follows `Bearer` and `Basic`, passwords in URLs and connection strings, values assigned to the name of a secret.
 * Time is linear: what each expression repeats is bounded.
 */
export function hideSecretsIn(text: string): string {
  if (isHarmless(text)) return text;
  let shown = text;
  if (shown.includes('-----BEGIN')) shown = shown.replace(privateKey, hidden);
  if (signOfToken.test(shown)) shown = shown.replace(tokenInText, hidden);
  if (signOfCredentials.test(shown)) {
    shown = shown.replace(credentials, (whole, scheme: string, value: string) =>
      isCredential(scheme, value) ? `${scheme}${hidden}` : whole,
    );
  }
  if (shown.includes('://')) {
    shown = shown
      .replace(urlPassword, (_whole, before: string) => `${before}${hidden}@`)
      .replace(urlUser, (whole, scheme: string, user: string) => (looksRandom(user) ? `${scheme}${hidden}@` : whole));
  }
  if (!/[=:]/.test(shown)) return shown;
  return shown.replace(assignment, (whole, before: string, name: string, sign: string, value: string) =>
    isAssigned(name, sign, value) ? `${before}${name}${sign}${hidden}` : whole,
  );
}

/** Of {@link serviceToken}, and of {@link credentials}: what each of their forms holds. */
const signOfToken = /[-_.]|A[KS]IA|AIza/;
const signOfCredentials = /(?:bearer|basic)\s/i;

/**
 * Whether a text is a short word, as most are, or a path of such: every secret is longer, or holds another sign; and it
 * is written as it is, in quotes as well as in a line.
 */
export function isHarmless(text: string): boolean {
  const { length } = text;
  if (length >= shortestKey) return false;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (!isPartOfWord[code] || (code === underscore && length >= shortestToken)) return false;
  }
  return true;
}

/** Characters of the shortest token of letters, digits and `_`, `github_pat_` and one more; and of one without `_`. */
const shortestToken = 12;
const shortestKey = 20;

const underscore = 95;
/** By the code of a character: a loop is through a short text before an expression has begun. */
const isPartOfWord = Uint8Array.from({ length: 128 }, (_, code) => Number(/[\w/]/.test(String.fromCharCode(code))));

const privateKey =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[^-]|-(?!----END)){0,20000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|-{0,5}$)?/g;
const tokenInText = new RegExp(String.raw`(?<![\w-])(?:${serviceToken})`, 'g');
const credentials = /(?<!\w)((?:authorization\s?[:=]\s?)?(?:Bearer|Basic)\s+)([\w.~+/=-]{8,})/gi;

const urlPassword = /((?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/?#@:"'<>]{0,200}:)[^\s/"'<>]{1,1000}@/gi;
const urlUser = /((?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:\/\/)([^\s/?#@:"'<>]{16,500})@/gi;

/**
 * `name=value` as in queries, options and connection strings, `"name": "value"` as in JSON, `Name: value` as in
 * headers.
 */
const assignment =
  /((?<![\w.-])["']?)([A-Za-z][\w.-]{0,60})((?:\\?["'])?\s?[=:]\s?)(\\?"[^"\n]{0,5000}"?|'[^'\n]{0,5000}'?|[^\s&;,"'{}[\]]{1,5000})/g;

function isAssigned(name: string, sign: string, value: string): boolean {
  const bare = value.replace(/^\\?["']|\\?["']$/g, '');
  if (bare === '' || /^(?:true|false|null|undefined|\$\{?\w+\}?)$/.test(bare) || value === hidden) return false;
  if (!isSecretName(name)) return false;
  // 'Invalid token: expected a number' is prose; in it nothing but what looks like a secret is one.
  const isProse = sign.includes(':') && !/["']/.test(sign);
  return !isProse || looksRandom(bare, 8);
}

function isCredential(scheme: string, value: string): boolean {
  if (/basic/i.test(scheme)) return decodesToPair(value);
  // 'Bearer authentication' and 'bearer certificates' are no credentials.
  if (/^(?:auth\w*|tokens?|credentials?|schemes?|challenge)\b/i.test(value) && !/\d/.test(value)) return false;
  return scheme.includes('Bearer') || /^authorization/i.test(scheme) || /[^a-z]/.test(value);
}

function decodesToPair(value: string): boolean {
  const decoded = Buffer.from(value.slice(0, 1000), 'base64').toString('utf8');
  return decoded.includes(':');
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
  const pieces =
    looksRandom(beginning, 32) && /[a-z]/.test(beginning) && /[A-Z]/.test(beginning)
      ? [beginning]
      : beginning.split(/[^A-Za-z0-9]/);
  return pieces.some((piece) => looksRandom(piece, 16));
}
