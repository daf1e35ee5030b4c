import { homedir } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import stripJsonComments from 'strip-json-comments';
import { ofEntry, type ServerAddress } from '../../internal.js';
import { didYouMean, isList, isObject, listOf, pointerToken, quote, text, valueAt } from '../../json/index.js';
import type { JsonObject, Option } from '../../json/index.js';
import type { Env } from '../context.js';
import { UsageError } from '../command.js';
import { readText } from '../files.js';
import { positionOfMistake } from './json-mistake.js';

/** An `mcp.json`, read once, so that the agreed content is the one that is used. */
export interface ConfigFile {
  readonly path: string;
  readonly text: string;
  readonly entries: Readonly<Record<string, unknown>>;
  /** `${workspaceFolder}` */
  readonly folder: string;
  /** The inputs that VS Code asks for, by id. */
  readonly inputs: readonly JsonObject[];
}

/** Values to fill in besides environment variables. */
export interface Fillings {
  readonly folder?: string;
  readonly inputs?: ReadonlyMap<string, string>;
}

/** In MB; far beyond any list of servers. */
const largestFile = 4;

/**
 * `{ "mcpServers": { name: { command, args, env } | { url, headers, type } } }`. VS Code says `servers`, and in its
 * settings `mcp.servers`; Claude Code has further ones for each project.
 */
export function readConfig(path: string, cwd: string): ConfigFile {
  const text = readText(path, largestFile);
  const content = parse(path, stripJsonComments(text.replace(/^\uFEFF/, ''), { trailingCommas: true }));
  const places = ['/mcpServers', '/servers', '/mcp/servers', `/projects/${pointerToken(cwd)}/mcpServers`];
  const found = places.map((place) => valueAt(content, place)).filter(isObject);
  if (found.length === 0) throw new UsageError(`${path} has no "mcpServers".`);
  const entries = Object.fromEntries(found.flatMap((each) => Object.entries(each)));
  if (Object.keys(entries).length === 0) throw new UsageError(`${path} holds no server.`);
  const folder = dirname(path);
  const inputs = listOf(valueAt(content, '/inputs') ?? valueAt(content, '/mcp/inputs')).filter(isObject);
  const isOfEditor = ['.vscode', '.cursor'].includes(basename(folder));
  return { path, text, entries, inputs, folder: isOfEditor ? dirname(folder) : folder };
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${path} is not JSON, apart from comments and trailing commas: ${positionOfMistake(text)}.`);
  }
}

export function addressIn(
  { path, entries, folder }: ConfigFile,
  name: string,
  env: Env,
  inputs: ReadonlyMap<string, string>,
): ServerAddress {
  const entry = entries[name];
  if (!isObject(entry)) throw new UsageError(`${path}: server "${name}" is not an object.`);
  const mistake = mistakeIn(entry);
  if (mistake !== undefined) throw new UsageError(`${path}: server "${name}": ${mistake}.`);
  const { command, args, cwd, envFile, type, transport } = entry;
  const url = urlIn(entry);
  const fill = (text: string) => expand(text, env, { folder, inputs });
  const fillAll = (values: Record<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([name, text]) => [name, fill(text)]));
  if (typeof command === 'string') {
    const ofFile = typeof envFile === 'string' ? variablesOf(envFileText(folder, fill(envFile))) : {};
    return {
      transport: 'stdio',
      command: fill(command),
      args: isList(args) ? args.map((arg) => fill(String(arg))) : [],
      env: { ...ofFile, ...fillAll(texts(entry['env'])) },
      ...(typeof cwd === 'string' && { cwd: fill(cwd) }),
    };
  }
  if (typeof url !== 'string') throw new UsageError(`${path}: server "${name}" has neither "command" nor "url".`);
  const sse = type === 'sse' || transport === 'sse';
  return { ...(sse && { transport: 'sse' as const }), url: fill(url), headers: fillAll(texts(entry['headers'])) };
}

/** The text of each file of variables that an entry names; empty if there is none, or none that can be read yet. */
export function envFileTexts({ entries, folder }: ConfigFile, env: Env): string[] {
  return Object.values(entries).map((entry) => {
    if (!isObject(entry) || typeof entry['envFile'] !== 'string') return '';
    try {
      return envFileText(folder, expand(entry['envFile'], env, { folder, inputs: new Map() }));
    } catch {
      return '';
    }
  });
}

function envFileText(folder: string, path: string): string {
  return readText(resolve(folder, path), largestFile);
}

/** The lines `NAME=value # comment` of an `.env` file. */
function variablesOf(text: string): Record<string, string> {
  const found = text.matchAll(
    /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|(.*?))[ \t\r]*(?:(?<=[ \t])#.*)?$/gm,
  );
  return Object.fromEntries([...found].map(([, name = '', ...values]) => [name, values.join('')]));
}

/** Keys that nothing reads, each with the one that was probably meant. */
export function unknownKeys(entry: unknown): string[] {
  if (!isObject(entry)) return [];
  const [own, foreign, what] = isThere(entry['command'])
    ? [ofProcess, ofUrl, ' of a server with a command']
    : [ofUrl, ofProcess, ' of a server with a URL'];
  const known = [...ofAll, ...own];
  const { oauth } = entry;
  const ofSignIn = isObject(oauth) ? Object.keys(oauth).map((key) => `oauth.${key}`) : [];
  const given = Object.keys(entry).filter((key) => isThere(entry[key]));
  const unknown = [...given, ...ofSignIn].filter((key) => !known.includes(key));
  const about = (key: string) => `${foreign.includes(key) ? what : ''}.${didYouMean(key, known)}`;
  return unknown.map((key) => `${quote(key)} is not known${about(key)}`);
}

const ofProcess = ['command', 'args', 'cwd', 'env', 'envFile'];
const ofUrl = ['url', 'serverUrl', 'httpUrl', 'headers', 'oauth', 'oauth.clientId', 'oauth.callbackPort'];

/** Further keys that are read here, by the choice of servers, and by the policies of `serve`. */
const ofAll = [
  ...['type', 'transport', 'disabled', 'enabled', 'timeout'],
  ...['fixed', 'include', 'exclude', 'readOnly', 'maxResultLength'],
];

export function urlIn({ url, serverUrl, httpUrl }: JsonObject): unknown {
  return url ?? serverUrl ?? httpUrl;
}

/** A value that would not reach the server as it is written. `null` counts as missing. */
function mistakeIn(entry: JsonObject): string | undefined {
  const { command, oauth = {} } = entry;
  const { clientId, callbackPort } = isObject(oauth) ? oauth : { clientId: oauth };
  const url = urlIn(entry);
  if (isThere(command) && isThere(url)) return '"command" and "url" exclude each other';
  if (typeof url === 'string' && /^wss?:/i.test(url)) return 'WebSocket is no transport of MCP';
  const values: JsonObject = { ...entry, url, 'oauth.clientId': clientId, 'oauth.callbackPort': callbackPort };
  const wrong = Object.entries(rules).find(([name, { accepts }]) => isThere(values[name]) && !accepts(values[name]));
  return wrong && `"${wrong[0]}" has to be ${wrong[1].words}`;
}

const isWord = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

const words: Option = {
  words: 'an object of texts',
  accepts: (value) => isObject(value) && Object.values(value).every(isWord),
};

const port: Option = {
  words: 'a number up to 65535',
  accepts: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
};

const rules: Readonly<Record<string, Option>> = {
  ...ofEntry,
  ...{ command: text, cwd: text, envFile: text, url: text, 'oauth.clientId': text, 'oauth.callbackPort': port },
  args: { words: 'a list of texts', accepts: (value) => isList(value) && value.every(isWord) },
  ...{ env: words, headers: words },
};

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** The entries of an object as texts: people write numbers and booleans for variables. */
export function texts(value: unknown): Record<string, string> {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]));
}

/**
 * `${NAME}`, `${env:NAME}` and `${NAME:-default}`, so that secrets need not be in files or on command lines; in a
 * configuration `${workspaceFolder}`, `${userHome}` and `${input:id}`, too.
 */
export function expand(text: string, env: Env, { folder, inputs }: Fillings = {}): string {
  const [foreign] = ofClients.exec(text) ?? [];
  if (foreign !== undefined)
    throw new UsageError(`${foreign} is filled in by VS Code alone. Write \${NAME} for a variable of the environment.`);
  return text.replace(variable, (_whole, kind: string | undefined, name: string, fallback?: string) => {
    if (kind === 'input') {
      const given = inputs?.get(name);
      if (given === undefined) throw new UsageError(`The input "${name}" is missing: --input ${name}=VALUE.`);
      return given;
    }
    if (name === 'workspaceFolder' && folder !== undefined) return folder;
    if (name === 'userHome' && folder !== undefined) return env['HOME'] ?? homedir();
    const value = env[name] ?? fallback;
    if (value === undefined) throw new UsageError(`The environment variable ${name} is not set.`);
    return value;
  });
}

/** The variables of the environment that a text names. */
export function variablesIn(text: string): string[] {
  const named = [...text.matchAll(variable)].filter(([, kind]) => kind !== 'input');
  return named.map(([, , name = '']) => name).filter((name) => !['workspaceFolder', 'userHome'].includes(name));
}

export function inputsIn(text: string): string[] {
  return [...text.matchAll(variable)].filter(([, kind]) => kind === 'input').map(([, , name = '']) => name);
}

/** `'${VARIABLE}'` or `@FILE`: others can read a command line. */
export function secretFrom(option: string, source: string, { cwd, env }: { cwd: string; env: Env }): string {
  if (source.startsWith('@')) return readText(resolve(cwd, source.slice(1))).trim();
  if (variablesIn(source).length > 0) return expand(source, env).trim();
  const ways = `--${option} '\${NAME}', --${option} @FILE`;
  throw new UsageError(`Others can read a command line, so --${option} names a variable or a file: ${ways}.`);
}

/** VS Code looks a secret up: sent as it is written, it would be a wrong one. */
const ofClients = /\$\{(?:command|config|file):[^}]+\}/;

const variable = /\$\{(?:(env|input):)?((?<=input:)[\w.-]+|[A-Za-z_]\w*)(?::-([^}]*))?\}/g;
