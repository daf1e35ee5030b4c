import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type HttpAddress, isDisabled, type ServerAddress } from '../../internal.js';
import { counted, didYouMean, isObject, jsonText, listOf } from '../../json/index.js';
import { pairsOf, type ServerChoice, SyntaxUsageError, UsageError } from '../command.js';
import type { Context, Env } from '../context.js';
import { addressIn, type ConfigFile, expand, inputsIn, readConfig, unknownKeys } from './config-file.js';
import { withSignIn } from './sign-in.js';
import { agreeTo } from './trust.js';

export interface NamedServer {
  readonly name?: string;
  readonly entry?: unknown;
  readonly idleTimeoutMs?: number | undefined;
  /** @throws UsageError if its entry in the configuration file is wrong */
  readonly address: ServerAddress;
}

type NamedServers = [NamedServer, ...NamedServer[]];

/** The files in which common clients keep their servers in a project's folder. */
const usualFiles = ['mcp.json', '.mcp.json', '.vscode/mcp.json', '.cursor/mcp.json'];

/** The same in a person's own folder. */
const ownFiles = ['.claude.json', '.cursor/mcp.json', '.config/Code/User/mcp.json'];

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
function refuseMisplaced({ url, command, header, sse, env, config, server, input }: ServerChoice): void {
  const misplaced: readonly (readonly [isSo: boolean, option: string, where: string])[] = [
    [url === undefined && header.length > 0, 'header', '--url'],
    [url === undefined && sse, 'sse', '--url'],
    [!command && env.length > 0, 'env', 'a server command after --'],
    [(url ?? command) !== undefined && config !== undefined, 'config', 'servers of a configuration file'],
    [(url ?? command) !== undefined && server !== undefined, 'server', 'servers of a configuration file'],
    [(url ?? command) !== undefined && input.length > 0, 'input', 'servers of a configuration file'],
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

/** The server of a tool: `server.tool` names it if a configuration has several. */
export async function serverOfTool(
  choice: ServerChoice,
  tool: string,
  context: Context,
): Promise<{ server: NamedServer; tool: string }> {
  const servers = await chosenServers(choice, context);
  const names = servers.map(({ name = '' }) => name).filter((name) => name !== '' && tool.startsWith(`${name}.`));
  const [named] = names.sort((one, other) => other.length - one.length);
  const server = servers.find(({ name }) => name === named);
  if (server && named !== undefined && choice.server === undefined)
    return { server, tool: tool.slice(named.length + 1) };
  if (servers.length === 1) return { server: servers[0], tool };
  throw new UsageError(`Which server? Write SERVER.TOOL, or choose one with --server: ${namesOf(servers)}.`);
}

async function serversOfFile(choice: ServerChoice, context: Context): Promise<NamedServers> {
  const { config, server } = choice;
  const { cwd, env, terminal } = context;
  const note = (text: string) => terminal.note(terminal.paint.dim(text));
  const files = usualFiles.filter((name) => isFile(join(cwd, name)));
  const found = config ?? files[0];
  if (found === undefined) {
    const own = ownFiles.map((name) => join(env['HOME'] ?? homedir(), name)).filter(isFile);
    const advice = own.length === 0 ? '' : ` Found: ${own.join(', ')}; --config uses one.`;
    const ways = 'Give --url URL, or -- COMMAND ARGS, or --config FILE (an mcp.json).';
    throw new SyntaxUsageError(`Which server? ${ways}${advice}`);
  }
  const file = readConfig(resolve(cwd, found), cwd);
  if (config === undefined && files.length > 1)
    note(`found ${files.join(', ')}; the first is used, --config uses another`);
  if (config === undefined) await agreeTo(file, found, context);
  note(`servers from ${file.path}`);
  const inputs = givenInputs(choice, file);
  // Each is read when it is used: a mistake in one, or a variable that only it needs, affects no other.
  const servers = Object.entries(file.entries).map(([name, entry]) => ({
    name,
    entry,
    idleTimeoutMs: isObject(entry) && typeof entry['timeout'] === 'number' ? entry['timeout'] : undefined,
    get address() {
      const address = addressIn(file, name, env, inputs);
      return address.transport === 'stdio' ? address : withSignIn(address, env);
    },
  }));
  const isChosen = (each: NamedServer) => (server === undefined ? !isDisabled(each.entry) : each.name === server);
  const [first, ...others] = servers.filter(isChosen);
  const none =
    server === undefined
      ? 'has disabled all its servers. Choose one with --server.'
      : `has no server "${server}". It has ${namesOf(servers)}.`;
  if (!first) throw new UsageError(`${file.path} ${none}`);
  const left = servers.length - others.length - 1;
  if (server === undefined && left > 0) note(`${counted(left, 'server')} left out, which the file has disabled`);
  for (const { name, entry } of [first, ...others]) {
    for (const warning of unknownKeys(entry)) terminal.note(`${terminal.paint.yellow('warning:')} ${name}: ${warning}`);
    await fillInputs(entry, file, inputs, context);
  }
  return [first, ...others];
}

function givenInputs({ input }: ServerChoice, { path, entries, inputs }: ConfigFile): Map<string, string> {
  const given = pairsOf(input, '--input takes ID=VALUE.');
  const known = [...new Set([...inputsIn(JSON.stringify(entries)), ...inputs.map(({ id }) => String(id))])];
  const wrong = [...given.keys()].find((id) => !known.includes(id));
  if (wrong !== undefined && known.length === 0) throw new UsageError(`--input ${wrong}: ${path} has no inputs.`);
  const advice = `${didYouMean(wrong ?? '', known)} It has ${known.join(', ')}.`;
  if (wrong !== undefined) throw new UsageError(`--input ${wrong}: ${path} has no such input.${advice}`);
  return new Map(given);
}

/** Without a terminal, an input has its default; one that has none is an error of the server that needs it. */
async function fillInputs(
  entry: unknown,
  file: ConfigFile,
  inputs: Map<string, string>,
  { ask, terminal }: Context,
): Promise<void> {
  for (const id of new Set(inputsIn(JSON.stringify(entry)))) {
    const { description = id, options, default: usual, password } = file.inputs.find((each) => each['id'] === id) ?? {};
    const standard = typeof usual === 'string' || usual === undefined ? usual : jsonText(usual);
    const choices = listOf(options).map((each) => String(isObject(each) ? each['value'] : each));
    const otherwise = standard === undefined ? [] : [`Enter for ${password === true ? 'the default' : standard}`];
    const notes = [...choices, ...otherwise].join(', ');
    const question = `${String(description)}${notes === '' ? '' : ` (${notes})`}: `;
    const isRight = (value: string) => choices.length === 0 || choices.includes(value);
    for (let attempt = 0; attempt < 3 && ask && !inputs.has(id); attempt++) {
      const answer = (await ask(question, undefined, password === true)).trim() || (standard ?? '');
      if (isRight(answer)) inputs.set(id, answer);
      else terminal.note(`does not fit: the input takes one of ${choices.join(', ')}`);
    }
    if (!inputs.has(id) && standard !== undefined) inputs.set(id, standard);
    const value = inputs.get(id);
    if (value !== undefined && !isRight(value))
      throw new UsageError(`The input "${id}" takes one of ${choices.join(', ')}.`);
  }
}

function namesOf(servers: readonly NamedServer[]): string {
  return servers.map(({ name }) => name).join(', ');
}

/** True if it is a regular file. Reading from a pipe or a device could wait forever. */
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function httpAddress(choice: ServerChoice, url: string, env: Env): HttpAddress {
  const headers = Object.fromEntries(
    choice.header.map((header) => {
      const [, name, variable] = namedHeader.exec(header) ?? [];
      // `--header Authorization` takes the value of AUTHORIZATION.
      const [own, value] =
        name === undefined
          ? split(header, ':', '--header "Name: value"')
          : [name, `\${${variable ?? name.toUpperCase().replace(/\W/g, '_')}}`];
      return [own, expand(value, env)];
    }),
  );
  const address = isVariable.test(url) ? `\${${url}}` : url;
  return { ...(choice.sse && { transport: 'sse' as const }), url: expand(address, env), headers };
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

/** A variable in place of an address, so that its secrets need not be on the command line. */
const isVariable = /^[A-Z_][A-Z\d_]*$/;

/** A header by its name alone, or with the variable that holds its value: `X-Key=SOME_KEY`. */
const namedHeader = /^([^\s:=]+)(?:=([A-Z_][A-Z\d_]*))?$/;

function split(text: string, mark: string, usage: string): [string, string] {
  const at = text.indexOf(mark);
  if (at <= 0) throw new UsageError(`"${text.slice(0, Math.max(at, 0)) || '…'}" is not of the form ${usage}.`);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
