import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { HttpAddress, ServerAddress } from '../../internal.js';
import { counted, isObject } from '../../json/index.js';
import type { ServerChoice } from '../server-options.js';
import type { Context, Env } from '../context.js';
import { UsageError } from '../exit.js';
import { addressIn, expand, expandAll, readConfig } from './config-file.js';
import { withSignIn } from './sign-in.js';
import { agreeTo } from './trust.js';

export interface NamedServer {
  readonly name?: string;
  readonly entry?: unknown;
  /** @throws UsageError where its entry in the configuration file is wrong */
  readonly address: ServerAddress;
}

type NamedServers = [NamedServer, ...NamedServer[]];

/** Where the clients that people use keep their servers, in a project's folder. */
const usualFiles = ['mcp.json', '.mcp.json', '.vscode/mcp.json', '.cursor/mcp.json'];

/** A file that nobody named but that lies in the folder is used only if a person agrees to it. */
export async function chosenServers(choice: ServerChoice, context: Context): Promise<NamedServers> {
  const { url, command } = choice;
  const { env } = context;
  if (url !== undefined && command) throw new UsageError('Give either --url or a command after --, not both.');
  refuseMisplaced(choice);
  if (url !== undefined) return [{ address: withSignIn(httpAddress(choice, url, env), env) }];
  if (command) return [{ address: stdioAddress(choice, command, env) }];
  return serversOfFile(choice, context);
}

/** An option that would be ignored is refused: a header that never arrives looks like a server that does not take it. */
function refuseMisplaced({ url, command, header, sse, env, config, server }: ServerChoice): void {
  const misplaced: readonly (readonly [isSo: boolean, option: string, where: string])[] = [
    [url === undefined && header.length > 0, 'header', '--url'],
    [url === undefined && sse, 'sse', '--url'],
    [!command && env.length > 0, 'env', 'a server command after --'],
    [(url ?? command) !== undefined && config !== undefined, 'config', 'servers of a configuration file'],
    [(url ?? command) !== undefined && server !== undefined, 'server', 'servers of a configuration file'],
  ];
  const found = misplaced.find(([isSo]) => isSo);
  if (found) throw new UsageError(`--${found[1]} only works with ${found[2]}.`);
}

export async function chosenServer(choice: ServerChoice, context: Context): Promise<NamedServer> {
  const [first, ...others] = await chosenServers(choice, context);
  if (others.length > 0)
    throw new UsageError(`Which server? Choose one with --server: ${namesOf([first, ...others])}.`);
  return first;
}

async function serversOfFile({ config, server }: ServerChoice, context: Context): Promise<NamedServers> {
  const { cwd, env, terminal } = context;
  const found = config ?? usualFiles.find((name) => isFile(join(cwd, name)));
  if (found === undefined)
    throw new UsageError('Which server? Give --url URL, or -- COMMAND ARGS, or --config FILE (an mcp.json).');
  const file = readConfig(resolve(cwd, found));
  if (config === undefined) await agreeTo(file, found, context);
  const note = (text: string) => terminal.note(terminal.paint.dim(text));
  note(`servers from ${file.path}`);
  // Each is read when it is used: what is wrong with one, or a variable that only it needs, concerns no other.
  const servers = Object.entries(file.entries).map(([name, entry]) => ({
    name,
    entry,
    get address() {
      const address = addressIn(file, name, env);
      return address.transport === 'stdio' ? address : withSignIn(address, env);
    },
  }));
  const isDisabled = ({ entry }: NamedServer) => isObject(entry) && entry['disabled'] === true;
  const [first, ...others] = servers.filter((each) =>
    server === undefined ? !isDisabled(each) : each.name === server,
  );
  if (!first)
    throw new UsageError(
      server === undefined
        ? `${file.path} has disabled all its servers. Choose one with --server.`
        : `${file.path} has no server "${server}". It has ${namesOf(servers)}.`,
    );
  const left = servers.length - others.length - 1;
  if (server === undefined && left > 0) note(`${counted(left, 'server')} left out, which the file has disabled`);
  return [first, ...others];
}

function namesOf(servers: readonly NamedServer[]): string {
  return servers.map(({ name }) => name).join(', ');
}

/** Whether it is there to be read; what only looks like a file (a pipe, a device) could keep a reader waiting. */
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function httpAddress(choice: ServerChoice, url: string, env: Env): HttpAddress {
  const headers = Object.fromEntries(
    choice.header.map((header) => {
      const [, name, variable] = namedHeader.exec(header) ?? [];
      if (name === undefined) return split(header, ':', '--header "Name: value"');
      // `--header Authorization` takes the value of AUTHORIZATION.
      return [name, `\${${variable ?? name.toUpperCase().replace(/\W/g, '_')}}`];
    }),
  );
  const address = isVariable.test(url) ? `\${${url}}` : url;
  return {
    ...(choice.sse && { transport: 'sse' as const }),
    url: expand(address, env),
    headers: expandAll(headers, env),
  };
}

function stdioAddress(choice: ServerChoice, [command = '', ...args]: readonly string[], env: Env): ServerAddress {
  const own = choice.env.map((pair): [string, string] => {
    if (pair.includes('=')) {
      const [name, value] = split(pair, '=', '--env NAME=value');
      return [name, expand(value, env)];
    }
    const value = env[pair];
    if (value === undefined) throw new UsageError(`The environment variable ${pair} is not set.`);
    return [pair, value];
  });
  return { transport: 'stdio', command, args, env: Object.fromEntries(own) };
}

/** A variable in place of an address, so that what is secret in that need not stand on the command line. */
const isVariable = /^[A-Z_][A-Z\d_]*$/;

/** A header by its name alone, or with the variable that holds its value: `X-Key=SOME_KEY`. */
const namedHeader = /^([^\s:=]+)(?:=([A-Z_][A-Z\d_]*))?$/;

function split(text: string, mark: string, usage: string): [string, string] {
  const at = text.indexOf(mark);
  if (at <= 0) throw new UsageError(`"${text.slice(0, Math.max(at, 0)) || '…'}" is not of the form ${usage}.`);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
