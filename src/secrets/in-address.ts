import { base64Of, bytesOf, bytesOfBase64, decodedUrl, parseJson, textOfBytes } from '../json/index.js';
import { looksLikeToken, looksRandom, secretSpans, unquoted, withHidden } from './in-text.js';
import { isSecret, scalarsIn } from './in-values.js';
import { shortestSecret, spansOf } from './mask.js';
import { mayNameSecret } from './names.js';

interface Address {
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The values in an address that no message may show, as a server may repeat any of them. */
export function* addressSecrets({ url = '', headers = {}, args = [], env = {} }: Address): Generator<string> {
  yield* urlSecrets(url, true);
  for (const [name, value] of Object.entries(headers))
    if (!ordinaryHeader.test(name)) yield* headerSecrets(name, value);
  for (const secrets of args.map(argumentSecrets)) yield* secrets;
  for (const [name, value] of Object.entries(env)) {
    if (mayNameSecret(name) || noWord.test(value)) yield value;
    yield* urlSecrets(value);
  }
}

const ordinaryHeader = /^(?:accept|cache|content|user-agent$|host$|origin$|referer$)/i;

/** A shorter value may be a word that people need to read: `debug`, `utf-8`. */
const noWord = /\S.{4,}\S|^(?=\w*\d)(?=\w*[a-z])\w+$/is;

/** A command's arguments with secrets hidden. An argument that a shell would split into words stays visible. */
export function shownArguments(args: readonly string[], mayHide = (_secret: string, _arg: string) => true): string[] {
  return args.map((arg, at) => {
    const secrets = [...new Set(argumentSecrets(arg, at, args))].filter((secret) => {
      return secret.length >= shortestSecret && !/[\s;&|<>`$(){}]/.test(secret) && mayHide(secret, arg);
    });
    // An encoded form is left visible: it may be part of the command that the user must review.
    return withHidden(arg, spansOf(secrets, arg));
  });
}

/**
 * `--api-key abc`, `--token=abc`, `-H 'X-Key: abc'`, a token, `API_KEY=abc`, `{"apiKey":"abc"}`, and secrets in texts.
 */
function* argumentSecrets(arg: string, at: number, args: readonly string[]): Generator<string> {
  const [before = ''] = /^-[^=]*$/.exec(args[at - 1] ?? '') ?? [];
  const [, option = before, value = arg] = /^(-[^=]*)=(.*)$/s.exec(arg) ?? [];
  // A path with digits is not a token: people have to see which program runs.
  if (mayNameSecret(option) || (/^[\w+=.-]+$/.test(value) && looksLikeToken(value))) yield value;
  const [, name = '', text = ''] = /^([A-Za-z][\w.-]{0,60})(?:=|:\s*)(?!\/\/)(.+)$/s.exec(value) ?? [];
  const isHeader = /^-(?:H|-headers?)$/.test(option);
  if (isHeader || mayNameSecret(name)) yield* [...headerSecrets(name, text), unquoted(text)];
  for (const [start, end] of secretSpans(value)) yield unquoted(value.slice(start, end));
  for (const [path, part] of scalarsIn(parseJson(value)))
    if (path.some(mayNameSecret) || isSecret([], part)) yield part;
  yield* urlSecrets(value);
}

/** `Bearer abc` may be repeated as `abc`. */
function* headerSecrets(name: string, value: string): Generator<string> {
  const [, scheme = '', rest = ''] = /^(\S+)\s+(.*)$/s.exec(value) ?? [];
  yield* [value, rest];
  if (/^basic$/i.test(scheme)) {
    const pair = textOfBytes(bytesOfBase64(rest));
    const [user = '', password = ''] = pair.split(/:(.*)/s);
    // Some services take a token as the user.
    yield* [pair, password, password === '' || looksRandom(user) ? user : ''];
  }
  if (/^cookie$/i.test(name)) for (const pair of value.split(/;\s*/)) yield pair.slice(pair.indexOf('=') + 1);
}

/** @param isServer whether this is the server's own URL, whose user is a credential, as is every query value but words */
function* urlSecrets(text: string, isServer = false): Generator<string> {
  if (!text.includes('://') || !URL.canParse(text)) return;
  const { username, password, pathname, hash, search } = new URL(text);
  const [user, key] = [decodedUrl(username), decodedUrl(password)];
  if (isServer || looksRandom(user)) yield* [user, username];
  if (user + key !== '') yield* [key, password, `${user}:${key}`, base64Of(bytesOf(`${user}:${key}`))];
  for (const pair of search.slice(1).match(/[^&]+/g) ?? []) {
    const [[name, value] = ['', '']] = new URLSearchParams(pair);
    if (mayNameSecret(name) || looksRandom(value) || (isServer && noWord.test(value)))
      yield* [value, pair.slice(pair.indexOf('=') + 1)];
    // A short value is a word that messages need; with its name it is not.
    if (isServer && value !== '') yield pair;
  }
  yield* [...pathname.split('/'), hash.slice(1)].map(decodedUrl).filter(looksLikeToken);
}
