import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ServerAddress } from '../../index.js';
import type { ServerChoice } from '../arguments.js';
import { isObject } from '../../json/index.js';
import type { Env } from '../context.js';
import { UsageError } from '../exit.js';

export interface NamedServer {
  readonly name?: string;
  /** @throws UsageError where its entry in the configuration file is wrong */
  readonly address: ServerAddress;
}

type NamedServers = [NamedServer, ...NamedServer[]];

/** Where the clients that people use keep their servers, in a project's folder. */
const usualFiles = ['mcp.json', '.mcp.json', '.vscode/mcp.json', '.cursor/mcp.json'];

/**
 * The servers that the command line means: `--url`, or `-- command`, or those of a configuration file.
 *
 * @throws UsageError when none, or two at once, were named, or the file cannot be read or holds none
 */
export function chosenServers(choice: ServerChoice, { cwd, env }: { cwd: string; env: Env }): NamedServers {
  const { url, command, config, server } = choice;
  if (url !== undefined && command) throw new UsageError('Give either --url or a command behind --, not both.');
  if (url !== undefined) return [{ address: httpAddress(choice, url, env) }];
  if (command) return [{ address: stdioAddress(choice, command, env) }];

  const file =
    config === undefined
      ? usualFiles.map((name) => join(cwd, name)).find((path) => existsSync(path))
      : resolve(cwd, config);
  if (file === undefined) {
    throw new UsageError('Which server? Give --url URL, or -- COMMAND ARGS, or --config FILE (an mcp.json).');
  }
  const [first, ...others] = readConfig(file, env);
  if (!first) throw new UsageError(`${file} holds no server.`);
  const servers: NamedServers = [first, ...others];
  if (server === undefined) return servers;
  const chosen = servers.find(({ name }) => name === server);
  if (!chosen)
    throw new UsageError(`${file} has no server "${server}". It has ${servers.map(({ name }) => name).join(', ')}.`);
  return [chosen];
}

/** Like `chosenServers`, for commands that are about one tool and so about one server. */
export function chosenServer(choice: ServerChoice, context: { cwd: string; env: Env }): NamedServer {
  const [first, ...others] = chosenServers(choice, context);
  if (others.length > 0) {
    throw new UsageError(
      `Which server? Choose with --server: ${[first, ...others].map(({ name }) => name).join(', ')}.`,
    );
  }
  return first;
}

function httpAddress(choice: ServerChoice, url: string, env: Env): ServerAddress {
  const headers = Object.fromEntries(choice.headers.map((header) => split(header, ':', '--header "Name: value"')));
  return { ...(choice.sse && { transport: 'sse' as const }), url: expand(url, env), headers: expandAll(headers, env) };
}

function stdioAddress(choice: ServerChoice, [command = '', ...args]: readonly string[], env: Env): ServerAddress {
  const own = Object.fromEntries(choice.env.map((pair) => split(pair, '=', '--env NAME=value')));
  return { transport: 'stdio', command, args, env: expandAll(own, env) };
}

function split(text: string, mark: string, usage: string): [string, string] {
  const at = text.indexOf(mark);
  if (at <= 0) throw new UsageError(`"${text.slice(0, Math.max(at, 0)) || '…'}" is not of the form ${usage}.`);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/** An `mcp.json`: `{ "mcpServers": { name: { command, args, env } | { url, headers, type } } }`; VS Code says `servers`. */
function readConfig(file: string, env: Env): NamedServer[] {
  const content = parseJson(file);
  const servers = isObject(content) ? (content['mcpServers'] ?? content['servers']) : undefined;
  if (!isObject(servers)) throw new UsageError(`${file} has no "mcpServers".`);
  // Each is read when it is used: what is wrong with one, or a variable that only it needs, concerns no other.
  return Object.entries(servers).map(([name, entry]) => ({
    name,
    get address() {
      return readEntry(file, name, entry, env);
    },
  }));
}

function parseJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    // The engine's own message quotes what stands around the mistake, which may be a token.
    if (error instanceof SyntaxError)
      throw new UsageError(`${file} is not JSON. (Comments and trailing commas are not.)`);
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readEntry(file: string, name: string, entry: unknown, env: Env): ServerAddress {
  if (!isObject(entry)) throw new UsageError(`${file}: server "${name}" is not an object.`);
  const { command, args, cwd, url, type, transport } = entry;
  if (typeof command === 'string') {
    return {
      transport: 'stdio',
      command: expand(command, env),
      args: Array.isArray(args) ? args.map((arg) => expand(String(arg), env)) : [],
      env: expandAll(strings(entry['env']), env),
      ...(typeof cwd === 'string' && { cwd: expand(cwd, env) }),
    };
  }
  if (typeof url !== 'string') throw new UsageError(`${file}: server "${name}" has neither "command" nor "url".`);
  const sse = type === 'sse' || transport === 'sse';
  return {
    ...(sse && { transport: 'sse' as const }),
    url: expand(url, env),
    headers: expandAll(strings(entry['headers']), env),
  };
}

function strings(value: unknown): Record<string, string> {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]));
}

function expandAll(values: Record<string, string>, env: Env): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, text]) => [name, expand(text, env)]));
}

/** `${NAME}`, `${env:NAME}` and `${NAME:-default}`, so that secrets need not stand in files or on command lines. */
function expand(text: string, env: Env): string {
  return text.replace(/\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (_whole, name: string, fallback?: string) => {
    const value = env[name] ?? fallback;
    if (value === undefined) throw new UsageError(`The environment variable ${name} is not set.`);
    return value;
  });
}
