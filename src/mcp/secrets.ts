import type { ServerAddress } from './address.js';

/** Replaces what must not be shown: masks every value it was told about, wherever it turns up in a text. */
export interface SecretMask {
  (text: string): string;
  /** Adds values that came up later, such as a renewed token. */
  add(value: string): void;
}

/** Shorter values are rather words than secrets; masking them would make messages unreadable. */
const shortestSecret = 6;

const secretOption = /key|token|secret|passw|credential|auth|bearer/i;

/**
 * Collects what an address holds that must never appear in a message: values of headers and environment variables,
 * URL credentials and query values, and arguments that follow an option such as `--api-key`. A server may echo any of
 * them in an error or on stderr.
 */
export function secretMask(address: ServerAddress): SecretMask {
  const secrets = new Set<string>();
  const add = (value: string) => {
    if (value.length >= shortestSecret) secrets.add(value);
  };
  for (const value of address.transport === 'stdio' ? stdioSecrets(address) : httpSecrets(address)) add(value);
  const mask = (text: string) => {
    // The longest first: a secret may contain another one.
    for (const secret of [...secrets].sort((a, b) => b.length - a.length)) text = text.replaceAll(secret, '***');
    return text;
  };
  return Object.assign(mask, { add });
}

function* httpSecrets(address: { url: string; headers?: Record<string, string> }): Generator<string> {
  for (const value of Object.values(address.headers ?? {})) {
    yield value;
    // 'Bearer abc' is echoed as 'abc', too.
    yield value.slice(value.indexOf(' ') + 1);
  }
  const url = new URL(address.url);
  yield Buffer.from(`${decode(url.username)}:${decode(url.password)}`).toString('base64');
  for (const value of [url.password, decode(url.password), ...url.searchParams.values()]) {
    yield value;
    yield encodeURIComponent(value);
  }
}

function* stdioSecrets(address: { args?: readonly string[]; env?: Record<string, string> }): Generator<string> {
  yield* Object.values(address.env ?? {});
  const args = address.args ?? [];
  for (const [index, arg] of args.entries()) {
    const [option, value] = arg.startsWith('-') ? split(arg, '=') : ['', undefined];
    if (!secretOption.test(option)) continue;
    if (value !== undefined) yield value;
    else if (args[index + 1] !== undefined) yield args[index + 1]!;
  }
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
