import { isObject } from '../json/index.js';
import { isSecretName } from './names.js';
import { looksLikeToken, looksRandom } from './values.js';

/** Of a server's address, what may hold secrets. */
type Address =
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> };

/**
 * Whatever of an address must never appear in a message; a server may echo any of it in an error or on stderr. Values
 * of headers and environment variables, what a URL holds besides the way to the server, and of arguments what follows
 * an option such as `--api-key`, what is assigned to the name of a secret, and what URLs and connection strings hold.
 */
export function* addressSecrets(address: Address): Generator<string> {
  if ('url' in address) {
    yield* urlSecrets(address.url, true);
    for (const [name, value] of Object.entries(address.headers ?? {})) yield* headerSecrets(name, value);
    return;
  }
  const { env = {}, args = [] } = address;
  for (const value of Object.values(env)) {
    yield value;
    yield* urlSecrets(value);
  }
  for (const [index, arg] of args.entries()) {
    const [option, value] = arg.startsWith('-') ? split(arg, '=') : ['', arg];
    if (isSecretOption(option)) yield value ?? args[index + 1] ?? '';
    if (value !== undefined) yield* argumentSecrets(value);
  }
}

function isSecretOption(option: string): boolean {
  return (
    option !== '' && !isHeaderOption(option) && /key|token|secret|passw|credential|auth|bearer|cookie/i.test(option)
  );
}

function isHeaderOption(option: string): boolean {
  return /^-(?:H|-headers?)$/.test(option);
}

/** `Authorization: Bearer abc`, `API_KEY=abc`, `Server=h;Password=abc`, `https://user:abc@host/`, `{"apiKey":"abc"}` */
function* argumentSecrets(text: string): Generator<string> {
  yield* urlSecrets(text);
  const header = /^([A-Za-z][\w-]{0,60}):\s*(\S.*)$/s.exec(text);
  if (header && !text.startsWith(`${header[1] ?? ''}://`)) yield* headerSecrets(header[1] ?? '', header[2] ?? '');
  for (const part of text.split(/[;&?\s]/)) {
    const [name, value] = split(part, '=');
    if (value !== undefined && isSecretName(name)) yield unquoted(value);
  }
  if (/^\s*[{[]/.test(text)) yield* jsonSecrets(parsed(text), false, 0);
}

/** The value, what it is without its scheme, and what the scheme encodes: 'Bearer abc' is echoed as 'abc', too. */
function* headerSecrets(name: string, value: string): Generator<string> {
  yield value;
  const [scheme, rest] = split(value, ' ');
  if (rest !== undefined) yield rest;
  if (/^basic$/i.test(scheme) && rest !== undefined) {
    const pair = Buffer.from(rest, 'base64').toString('utf8');
    yield pair;
    yield split(pair, ':')[1] ?? '';
  }
  if (/^cookie$/i.test(name)) for (const pair of value.split(/;\s*/)) yield split(pair, '=')[1] ?? '';
}

/** User, password, their pair as it is sent, values of the query, and steps of the path that look like a token. */
function* urlSecrets(text: string, isAddress = false): Generator<string> {
  if (!text.includes('://') || !URL.canParse(text)) return;
  const { username, password, searchParams, pathname, hash } = new URL(text);
  if (password !== '' || isAddress || looksRandom(username)) {
    for (const part of [username, decode(username)]) yield part;
  }
  for (const part of [password, decode(password)]) yield part;
  if (username + password !== '') {
    yield Buffer.from(`${decode(username)}:${decode(password)}`).toString('base64');
  }
  for (const [name, value] of searchParams) if (isAddress || isSecretName(name) || looksRandom(value)) yield value;
  for (const step of [...pathname.split('/'), hash.slice(1)]) if (looksLikeToken(decode(step))) yield decode(step);
}

function* jsonSecrets(value: unknown, isWithin: boolean, depth: number): Generator<string> {
  if (typeof value === 'string' && isWithin) yield value;
  if (depth > 20) return;
  if (Array.isArray(value)) for (const item of value) yield* jsonSecrets(item, isWithin, depth + 1);
  if (isObject(value)) {
    for (const name of Object.keys(value)) yield* jsonSecrets(value[name], isWithin || isSecretName(name), depth + 1);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
