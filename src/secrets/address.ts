import { isObject, parseJson } from '../json/index.js';
import type { Secret } from './mask.js';
import { isNameOfSomeKey, isSecretName } from './names.js';
import { hidden, isSecret, nameIn, looksLikeToken, looksRandom } from './values.js';

/** Of a server's address, what may hold secrets. */
type Address =
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> };

/**
 * Whatever of an address must never appear in a message; a server may echo any of it in an error or on stderr. Values
 * of headers and environment variables, what a URL holds besides the way to the server, and of arguments what follows
 * an option such as `--api-key`, what is assigned to the name of a secret, what URLs and connection strings hold, and
 * what looks like a token.
 */
export function* addressSecrets(address: Address): Generator<Secret> {
  if ('url' in address) {
    yield* urlSecrets(address.url);
    yield* wayValues(address.url);
    yield* headersSecrets(address.headers ?? {});
    return;
  }
  const { env = {}, args = [] } = address;
  for (const [name, value] of Object.entries(env)) {
    yield { value, isCredential: isCredential(name, value) };
    yield* urlSecrets(value);
  }
  for (const own of eachArgument(args)) yield* own;
}

/** The values of headers, and what in them is a secret by itself. */
export function* headersSecrets(headers: Readonly<Record<string, string>>): Generator<Secret> {
  for (const [name, value] of Object.entries(headers)) {
    for (const part of headerSecrets(name, value)) yield { value: part, isCredential: !ordinaryHeader.test(name) };
  }
}

/** Headers that hold words rather than credentials. */
const ordinaryHeader = /^(?:accept|cache|content|user-agent$|host$|origin$|referer$)/i;

/**
 * A command's arguments for a person who is to agree to them: without their secrets, but for what could be run, because
 * it has characters that mean something to a shell.
 */
export function shownArguments(args: readonly string[]): string[] {
  const secretsOf = [...eachArgument(args)];
  return args.map((arg, index) => {
    const secrets = [...(secretsOf[index] ?? [])].filter((value) => /^[\w.~+/=:@%!#^*,?-]{4,}$/.test(value));
    return secrets.sort((a, b) => b.length - a.length).reduce((text, value) => text.replaceAll(value, hidden), arg);
  });
}

/**
 * The arguments of a command that came with a stranger's files, for whoever is to agree to its running: a word of its
 * own may be what is run, whatever it looks like, and is shown. What is hidden is a value behind `=` and the name of a
 * secret, a header's, and a password in a URL.
 */
export function shownToAgree(args: readonly string[]): string[] {
  let before = '';
  return args.map((arg) => {
    const [, option = '', value] = /^(--?[\w-]+)=(.*)$/s.exec(arg) ?? [];
    const [, name = '', text = ''] = /^([A-Za-z][\w-]{0,60})(?:=|: ?)(.+)$/s.exec(value ?? arg) ?? [];
    const isHeader = isHeaderOption(option || before);
    before = arg;
    if (value !== undefined && isSecretOption(option) && cannotBeRun(value)) return `${option}=${hidden}`;
    const secret = isHeader ? text.replace(/^(?:Bearer|Basic|Token) (?=\S)/i, '') : text;
    if (name !== '' && !text.startsWith('//') && (isHeader || isSecretName(name)) && cannotBeRun(secret))
      return arg.slice(0, arg.length - text.length) + hidden;
    return arg.replace(/(\/\/[^/?#@\s:]*:)[^/?#@\s]+@/g, `$1${hidden}@`);
  });
}

/**
 * Whether a value is one word, without anything that means something to a shell, and no path: another may be what is
 * run.
 */
export function cannotBeRun(value: string): boolean {
  return !/[\s;&|<>`$(){}]/.test(value) && !/^[.~]{0,2}[/\\]/.test(value);
}

/** Of each argument, what in it is secret. */
function* eachArgument(args: readonly string[]): Generator<Iterable<string>> {
  let before = '';
  for (const arg of args) {
    const [option, value] = arg.startsWith('-') ? split(arg, '=') : ['', arg];
    const own = [...argumentSecrets(value ?? '', isHeaderOption(option || before))];
    if (isSecretOption(before) || isToken(arg)) own.push(arg);
    if (value !== undefined && (isSecretOption(option) || isToken(value))) own.push(value);
    yield own;
    before = value === undefined ? option : '';
  }
}

/** A path may be long and have digits, too; and what is run must be seen. */
function isToken(text: string): boolean {
  return isSecret([], text) || (/^[\w+=.-]+$/.test(text) && looksLikeToken(text));
}

/** Whether the value is one of those of which each part is hidden as well; others may hold words that people need. */
function isCredential(name: string, value: string): boolean {
  return isNameOfSecret(name) || isToken(value);
}

function isSecretOption(option: string): boolean {
  return (
    option !== '' &&
    !isHeaderOption(option) &&
    (/key|token|secret|passw|credential|auth|bearer|cookie/i.test(option) || isSecretName(option))
  );
}

function isHeaderOption(option: string): boolean {
  return /^-(?:H|-headers?)$/.test(option);
}

/** `Authorization: Bearer abc`, `API_KEY=abc`, `Server=h;Password=abc`, `https://user:abc@host/`, `{"apiKey":"abc"}` */
function* argumentSecrets(text: string, isHeader: boolean): Generator<string> {
  yield* urlSecrets(text);
  const [, name = '', value = ''] = /^([A-Za-z][\w-]{0,60}):\s*(\S.*)$/s.exec(text) ?? [];
  if (!value.startsWith('//') && (isHeader || isNameOfSecret(name))) yield* headerSecrets(name, value);
  // The whole of what is assigned, and its parts: 'API_KEY=a;b', 'Server=h;Password=a'.
  for (const part of [text, ...text.split(/[;&?\s]/)]) {
    const [assigned, to] = split(part, '=');
    if (to !== undefined && isNameOfSecret(assigned)) yield unquoted(to);
  }
  if (/^\s*[{[]/.test(text)) yield* jsonSecrets(parseJson(text), false, 0, false);
}

/** The value, what it is without its scheme, and what the scheme encodes: 'Bearer abc' is echoed as 'abc', too. */
function* headerSecrets(name: string, value: string): Generator<string> {
  yield value;
  const [, scheme = '', rest = ''] = /^(\S+)\s+(.*)$/s.exec(value) ?? [];
  yield rest;
  if (/^basic$/i.test(scheme)) {
    const pair = Buffer.from(rest, 'base64').toString('utf8');
    const [user, password = ''] = split(pair, ':');
    yield* [pair, password];
    if (password === '' || isToken(user)) yield user;
  }
  if (/^cookie$/i.test(name)) for (const pair of value.split(/;\s*/)) yield split(pair, '=')[1] ?? '';
}

/**
 * User, password and their pair as it is sent, values of the query under the name of a secret, and what looks like a
 * token.
 */
function* urlSecrets(text: string): Generator<string> {
  const url = urlIn(text);
  if (!url) return;
  const { username, password, pathname, hash } = url;
  const [user, key] = [decode(username), decode(password)];
  if (password !== '' || looksRandom(username)) yield* [username, user];
  yield* [password, key];
  if (username + password !== '') yield* [`${user}:${key}`, Buffer.from(`${user}:${key}`).toString('base64')];
  for (const [name, value, raw] of queryOf(url)) if (isNameOfSecret(name) || looksRandom(value)) yield* [value, raw];
  for (const step of [...pathname.split('/'), hash.slice(1)])
    if (looksLikeToken(decode(step))) yield* [decode(step), step];
}

/**
 * What else the address of a server holds beside the way to it: the values of its query, which may be words, and those
 * with their names. A short one that mixes letters and digits is hidden where it stands alone.
 */
function* wayValues(text: string): Generator<Secret> {
  const url = urlIn(text);
  if (!url) return;
  yield* [url.username, decode(url.username)];
  for (const [name, value, raw] of queryOf(url)) {
    if (value === '') continue;
    for (const form of [value, raw, `${name}=${value}`]) {
      yield { value: form, isCredential: /^(?=\w{4,5}$)(?=\w*\d)(?=\w*[a-z])/i.test(form) };
    }
  }
}

function urlIn(text: string): URL | undefined {
  return text.includes('://') && URL.canParse(text) ? new URL(text) : undefined;
}

/** Names, values, and values as they are written. */
function queryOf({ search }: URL): [name: string, value: string, raw: string][] {
  return search
    .slice(1)
    .split('&')
    .map((pair) => {
      const [name, raw = ''] = split(pair, '=');
      return [decode(name), decode(raw.replaceAll('+', ' ')), raw];
    });
}

function* jsonSecrets(value: unknown, isWithin: boolean, depth: number, isListed: boolean): Generator<string> {
  if (isWithin && (typeof value === 'string' || typeof value === 'number')) yield String(value);
  if (depth > 20) return;
  const isItem = Array.isArray(value);
  for (const [step, member] of isItem || isObject(value) ? Object.entries(value) : []) {
    if (!isItem && (isWithin || isToken(step))) yield step;
    yield* jsonSecrets(member, isWithin || isNameOfSecret(nameIn(value, step, isListed)), depth + 1, isItem);
  }
}

function isNameOfSecret(name: string): boolean {
  return isSecretName(name) || isNameOfSomeKey(name);
}

function unquoted(text: string): string {
  return text.replace(/^(["'])(.*)\1$/s, '$2');
}

function split(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
