import { base64Of, bytesOf, bytesOfBase64, parseJson, textOfBytes } from '../json/index.js';
import { decode } from './decoding.js';
import { isNameOfSomeKey, isSecretName } from './names.js';
import { hidden, looksLikeToken, looksRandom, secretSpans, unquoted } from './text.js';
import { isSecret, secretsWithin } from './values.js';

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
export function* addressSecrets(address: Address): Generator<string> {
  if ('url' in address) {
    yield* urlSecrets(address.url, true);
    yield* headersSecrets(address.headers ?? {});
    return;
  }
  for (const [name, value] of Object.entries(address.env ?? {})) {
    if (isNameOfSecret(name) || isNoWord(value)) yield value;
    yield* urlSecrets(value, false);
  }
  for (const own of eachArgument(address.args ?? [])) yield* own;
}

/** The values of headers, and what in them is a secret by itself. */
export function* headersSecrets(headers: Readonly<Record<string, string>>): Generator<string> {
  for (const [name, value] of Object.entries(headers))
    for (const part of headerSecrets(name, value)) if (!ordinaryHeader.test(name) || isNoWord(part)) yield part;
}

/** Headers that hold words rather than credentials. */
const ordinaryHeader = /^(?:accept|cache|content|user-agent$|host$|origin$|referer$)/i;

/** What may be a word that people need is hidden only where it is as long as this. */
function isNoWord(value: string): boolean {
  return value.trim().length >= 6;
}

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
function* eachArgument(args: readonly string[]): Generator<readonly string[]> {
  let before = '';
  for (const arg of args) {
    const [, option = '', value = arg] = /^(-[^=]*)=(.*)$/s.exec(arg) ?? [];
    const own = [...partSecrets(value, isHeaderOption(option || before))];
    if (isSecretOption(before) || isToken(arg)) own.push(arg);
    if (isSecretOption(option) || isToken(value)) own.push(value);
    yield own;
    before = option === '' && arg.startsWith('-') ? arg : '';
  }
}

/** `Authorization: Bearer abc`, `API_KEY=abc`, `Server=h;Password=abc`, `https://user:abc@host/`, `{"apiKey":"abc"}` */
function* partSecrets(text: string, isHeader: boolean): Generator<string> {
  yield* urlSecrets(text, false);
  const [, name = '', sign, value = ''] = /^([A-Za-z][\w.-]{0,60})(=|:\s*)(?!\/\/)(.+)$/s.exec(text) ?? [];
  if (isHeader || isNameOfSecret(name)) {
    if (sign === '=') yield* [value, unquoted(value)];
    else yield* headerSecrets(name, value);
  }
  for (const [start, end] of secretSpans(text)) yield unquoted(text.slice(start, end));
  if (/^\s*[{[]/.test(text))
    yield* secretsWithin(parseJson(text), (path, member) => path.some(isNameOfSomeKey) || isSecret(path, member));
}

/** The value, what it is without its scheme, and what the scheme encodes: 'Bearer abc' is echoed as 'abc', too. */
function* headerSecrets(name: string, value: string): Generator<string> {
  yield value;
  const [, scheme = '', rest = ''] = /^(\S+)\s+(.*)$/s.exec(value) ?? [];
  yield rest;
  if (/^basic$/i.test(scheme)) yield* pairSecrets(textOfBytes(bytesOfBase64(rest)));
  if (/^cookie$/i.test(name)) for (const pair of value.split(/;\s*/)) yield pair.slice(pair.indexOf('=') + 1);
}

/** `user:password`, of which a user without a password is one as well. */
function* pairSecrets(pair: string): Generator<string> {
  const [user = '', ...password] = pair.split(':');
  yield* [pair, password.join(':')];
  if (password.join('') === '' || isToken(user)) yield user;
}

/**
 * User, password and their pair as it is sent, values of the query under the name of a secret, and what looks like a
 * token.
 *
 * @param isServer whether it is a server's own address: of that, what is no part of the way to it is hidden, words too
 */
function* urlSecrets(text: string, isServer: boolean): Generator<string> {
  if (!text.includes('://') || !URL.canParse(text)) return;
  const { username, password, pathname, hash, searchParams } = new URL(text);
  const [user, key] = [decode(username), decode(password)];
  if (user + key !== '') yield* [key, `${user}:${key}`, base64Of(bytesOf(`${user}:${key}`))];
  if (key !== '' || isServer || looksRandom(user)) yield user;
  for (const [name, value] of searchParams) {
    if (isNameOfSecret(name) || looksRandom(value)) yield value;
    // A short one that mixes letters and digits is hidden where it stands alone, each with its name.
    else if (isServer && (isNoWord(value) || /^(?=\w*\d)(?=\w*[a-z])\w+$/i.test(value))) yield value;
    if (isServer && value !== '') yield `${name}=${value}`;
  }
  for (const step of [...pathname.split('/'), hash.slice(1)]) if (looksLikeToken(decode(step))) yield decode(step);
}

/** A path may be long and have digits, too; and what is run must be seen. */
function isToken(text: string): boolean {
  return isSecret([], text) || (/^[\w+=.-]+$/.test(text) && looksLikeToken(text));
}

function isNameOfSecret(name: string): boolean {
  return isSecretName(name) || isNameOfSomeKey(name);
}

function isSecretOption(option: string): boolean {
  if (option === '' || isHeaderOption(option)) return false;
  return /key|token|secret|passw|credential|auth|bearer|cookie/i.test(option) || isSecretName(option);
}

function isHeaderOption(option: string): boolean {
  return /^-(?:H|-headers?)$/.test(option);
}
