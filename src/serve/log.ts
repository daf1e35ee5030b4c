import type { ServerAddress } from '../internal.js';
import { quote, shortened, visibleLine, type JsonObject } from '../json/index.js';
import { addressSecrets, hideTokensIn, secretMask } from '../secrets/index.js';

/** Writes an entry for the operator: an event and its subject. Contains nothing of a call's arguments and results. */
export type Log = (text: string, about?: JsonObject) => void;

/** The log's fields of a call, filled in on its way. */
export interface CallRecord {
  server?: string;
  tool?: string;
  outcome?: 'ok' | 'tool error' | 'refused' | 'failed';
  error?: string | number;
  repaired?: readonly string[];
  /** With `--log-arguments`. */
  arguments?: string;
  result?: string;
  details?: readonly string[];
}

/** The fields that hold what clients and servers sent. */
const contents = ['arguments', 'result', 'details'];

const maxContent = 2000;

/** A client's own words for the log. Tokens are hidden before the cut, which would leave a part of one. */
export function loggedName(text: string, length: number): string {
  return text.length <= length ? text : shortened(hideTokensIn(text.slice(0, 10_000)), length);
}

interface Logging {
  readonly log: Log;
  readonly servers: readonly { readonly address: ServerAddress }[];
}

/** The one way to the log: each entry is one line, without the secrets of the servers' addresses, and without tokens. */
export function withSafeLog<Options extends Logging>(options: Options): Options {
  const mask = secretMask(options.servers.flatMap(({ address }) => [...addressSecrets(address)]));
  // Names such as `auth_token: search` are no secrets here.
  const shown = remembered((text) => hideTokensIn(String(mask.known(text))));
  const field = (name: string, value: unknown) => {
    if (contents.includes(name)) return mask(String(value), maxContent);
    return typeof value === 'string' ? shown(value) : value;
  };
  const log: Log = (text, about = {}) => {
    const all: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(about)) if (value !== undefined) all[name] = field(name, value);
    options.log(visibleLine(shown(text)), all);
  };
  return { ...options, log };
}

/** Finding secrets takes 0.1 ms, and the words of an entry are mostly those of the one before. */
function remembered(masked: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const shown = known.get(text) ?? masked(text);
    if (known.size >= 1000) known.clear();
    if (text.length <= 200) known.set(text, shown);
    return shown;
  };
}

const plain = /^[\w.:/,-]+$/;

/** An entry as a line, for people or for programs. */
export function logLine(format: 'text' | 'json', text: string, about: JsonObject = {}): string {
  if (format === 'json') return visibleLine(JSON.stringify({ time: new Date(), event: text, ...about }));
  const fields = Object.entries(about).map(([name, value]) => {
    const shown = String(value);
    return `${name}=${plain.test(shown) ? shown : quote(shown, 2 * maxContent)}`;
  });
  return [new Date().toISOString(), text, ...fields].join(' ');
}
