import { resolve } from 'node:path';
import stripJsonComments from 'strip-json-comments';
import type { ServerAddress } from '../../internal.js';
import { isList, isObject, type JsonObject } from '../../json/index.js';
import type { Env } from '../context.js';
import { UsageError } from '../exit.js';
import { readText } from '../files.js';

/** An `mcp.json`, read once: what a person agrees to is what is used. */
export interface ConfigFile {
  readonly path: string;
  readonly text: string;
  readonly entries: Readonly<Record<string, unknown>>;
}

/** In MB; far beyond any list of servers. */
const largestFile = 4;

/** `{ "mcpServers": { name: { command, args, env } | { url, headers, type } } }`; VS Code says `servers`. */
export function readConfig(path: string): ConfigFile {
  const text = readText(path, largestFile);
  const content = parse(path, stripJsonComments(text.replace(/^\uFEFF/, ''), { trailingCommas: true }));
  const entries = isObject(content) ? (content['mcpServers'] ?? content['servers']) : undefined;
  if (!isObject(entries)) throw new UsageError(`${path} has no "mcpServers".`);
  if (Object.keys(entries).length === 0) throw new UsageError(`${path} holds no server.`);
  return { path, text, entries };
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The engine's own message quotes what stands around the mistake, which may be a token.
    throw new UsageError(`${path} is not JSON, apart from comments and trailing commas.`);
  }
}

export function addressIn({ path, entries }: ConfigFile, name: string, env: Env): ServerAddress {
  const entry = entries[name];
  if (!isObject(entry)) throw new UsageError(`${path}: server "${name}" is not an object.`);
  const mistake = mistakeIn(entry);
  if (mistake !== undefined) throw new UsageError(`${path}: server "${name}": ${mistake}.`);
  const { command, args, cwd, type, transport } = entry;
  const url = urlIn(entry);
  if (typeof command === 'string') {
    return {
      transport: 'stdio',
      command: expand(command, env),
      args: isList(args) ? args.map((arg) => expand(String(arg), env)) : [],
      env: expandAll(texts(entry['env']), env),
      ...(typeof cwd === 'string' && { cwd: expand(cwd, env) }),
    };
  }
  if (typeof url !== 'string') throw new UsageError(`${path}: server "${name}" has neither "command" nor "url".`);
  const sse = type === 'sse' || transport === 'sse';
  return {
    ...(sse && { transport: 'sse' as const }),
    url: expand(url, env),
    headers: expandAll(texts(entry['headers']), env),
  };
}

export function urlIn({ url, serverUrl, httpUrl }: JsonObject): unknown {
  return url ?? serverUrl ?? httpUrl;
}

/** What would not reach the server as it is written; null stands for what is not there. */
export function mistakeIn(entry: JsonObject): string | undefined {
  const { command, args, cwd, env, headers } = entry;
  const url = urlIn(entry);
  if (isThere(command) && isThere(url)) return '"command" and "url" exclude each other';
  if (typeof url === 'string' && /^wss?:/i.test(url)) return 'WebSocket is no transport of MCP';
  const unlike = (fields: JsonObject, isRight: (value: unknown) => boolean) =>
    Object.entries(fields).find(([, value]) => isThere(value) && !isRight(value))?.[0];
  const notText = unlike({ command, cwd, url }, (value) => typeof value === 'string');
  if (notText !== undefined) return `"${notText}" has to be a text`;
  if (isThere(args) && !(isList(args) && args.every(isWord))) return '"args" has to be a list of texts';
  const notTexts = unlike({ env, headers }, (value) => isObject(value) && Object.values(value).every(isWord));
  return notTexts && `"${notTexts}" has to be an object of texts`;
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isWord(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** The entries of an object as texts: people write numbers and booleans for variables. */
export function texts(value: unknown): Record<string, string> {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]));
}

export function expandAll(values: Record<string, string>, env: Env): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, text]) => [name, expand(text, env)]));
}

/** `${NAME}`, `${env:NAME}` and `${NAME:-default}`, so that secrets need not stand in files or on command lines. */
export function expand(text: string, env: Env): string {
  const [foreign] = ofClients.exec(text) ?? [];
  if (foreign !== undefined)
    throw new UsageError(`${foreign} is filled in by VS Code alone. Write \${NAME} for a variable of the environment.`);
  return text.replace(variable, (_whole, name: string, fallback?: string) => {
    const value = env[name] ?? fallback;
    if (value === undefined) throw new UsageError(`The environment variable ${name} is not set.`);
    return value;
  });
}

export function variablesIn(text: string): string[] {
  return [...text.matchAll(variable)].map(([, name = '']) => name);
}

/** `'${VARIABLE}'` or `@FILE`: others can read a command line. */
export function secretFrom(option: string, source: string, { cwd, env }: { cwd: string; env: Env }): string {
  if (source.startsWith('@')) return readText(resolve(cwd, source.slice(1))).trim();
  if (variablesIn(source).length > 0) return expand(source, env).trim();
  throw new UsageError(
    `Others can read a command line, so --${option} names a variable or a file: --${option} '\${NAME}', --${option} @FILE.`,
  );
}

/** VS Code asks for a secret, or looks it up: sent as it is written, it would be a wrong one. */
const ofClients = /\$\{(?:input|command|config|file):[^}]+\}/;

const variable = /\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\}/g;
