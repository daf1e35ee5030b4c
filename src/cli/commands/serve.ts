import { openSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { providers } from '../../internal.js';
import { dryRun, endGroupsWithHost, isLoopback, logLine, serveHttp, serveStdio } from '../../serve/index.js';
import type { Log, NamedServer, ServeOptions } from '../../serve/index.js';
import { command, exitCodes, flag, listening, names, oneOf, portOption, seconds, serverOptions } from '../command.js';
import { text, texts, UsageError, whole } from '../command.js';
import type { Given } from '../command.js';
import type { Context } from '../context.js';
import { withFile } from '../files.js';
import { repair } from '../repairs.js';
import { chosenServers } from '../servers/choose.js';
import { secretFrom } from '../servers/config-file.js';
import { serverSettings, settingOptions } from '../servers/settings.js';

const providerNames = Object.keys(providers) as (keyof typeof providers)[]; // its own keys

const options = {
  ...serverOptions,
  port: portOption('serve over HTTP instead of stdio; 0 takes a free port'),
  host: text('HOST', 'listen here; default 127.0.0.1; any other address than loopback requires --token'),
  token: texts(
    "'${NAME}'",
    'require clients to send this as Authorization: Bearer; read from a variable, or with @FILE from a file; 16 characters or more',
  ),
  'allow-origin': texts('ORIGIN', 'let web pages of this origin connect; repeatable'),
  'max-sessions': whole('N', 'keep at most this many sessions open; default 100', 1),
  idle: seconds('close a session that nobody has used for this long; default 1800'),
  grace: seconds('when it is ended, let calls finish for this long; default 5'),
  'question-timeout': seconds('cancel a question of a server that nobody answers for this long; default 60'),
  provider: oneOf(
    providerNames,
    'NAME',
    'adapt schemas to the models of openai, anthropic, google or another of docs/providers.md',
  ),
  api: oneOf(['completions', 'responses'], 'NAME', 'with --provider: the API of the models, if their rules differ'),
  ...settingOptions,
  'tool-search': oneOf(
    ['off', 'on', 'auto'],
    'MODE',
    'on: expose three tools, to search, describe and call the others; auto: do so if there are many tools; default off',
  ),
  always: names('A,B', 'with --tool-search: always expose these tools'),
  repair,
  log: text('FILE', 'add the log to this file; default stderr'),
  'log-format': oneOf(['text', 'json'], 'FORMAT', 'text, the default, or json: an object a line'),
  'log-arguments': flag('log the arguments and results of calls as well, without what looks like a secret'),
  'dry-run': flag('connect, say which tools would be exposed and what was skipped or adapted, and end'),
};

/** After the calls, the last answers, the ends of sessions and of programs may take so many milliseconds. */
const endingMs = 4000;

export const serve = command({
  about:
    'Runs an MCP server in front of other servers, for clients that you cannot change. Tools are sent as their server wrote them, invalid tools are skipped, and malformed arguments are repaired. Everything else in the protocol passes through. It uses stdio, or with --port streamable HTTP at /mcp. Several servers of a --config become one; their names are put in front of the names of their tools. Clients are isolated from one another.',
  options,
  examples: ['serve -- npx -y @modelcontextprotocol/server-sequential-thinking', 'serve --port 3100 --config mcp.json'],
  async run(given, context) {
    const { terminal, signal } = context;
    const { grace: graceMs = 5000 } = given;
    const { port, host = '127.0.0.1', 'allow-origin': origins, 'tool-search': toolSearch = 'off', always } = given;
    const ofHttp = ['host', 'token', 'allow-origin', 'max-sessions', 'idle'] as const;
    const needsPort = ofHttp.find((option) => [given[option]].flat().some((value) => value !== undefined));
    if (port === undefined && needsPort) throw new UsageError(`--${needsPort} only works with --port.`);
    if (toolSearch === 'off' && always.length > 0)
      throw new UsageError('--always only works with --tool-search on or auto.');
    if (given.api !== undefined && given.provider === undefined)
      throw new UsageError('--api only works with --provider.');
    const token = tokenFrom(given.token, context);
    if (!isLoopback(host) && token === undefined)
      throw new UsageError(
        `Others than this machine can reach ${host}, so a token is needed: --token '\${MCP_TOKEN}'.`,
      );
    const wrong = origins.find((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
    if (wrong !== undefined)
      throw new UsageError(`--allow-origin takes an origin such as https://app.example; it was "${wrong}".`);
    const servers = await servedServers(given, context);
    // A schema that cannot be decided upon is no reason to keep a call from a server that will decide.
    const serving: ServeOptions = {
      servers,
      tool: { repairs: given.repair, whenUndetermined: 'allow' },
      provider: given.provider,
      api: given.api,
      toolSearch,
      always,
      questionTimeoutMs: given['question-timeout'],
      log: logOf(given, context),
      logsArguments: given['log-arguments'],
    };
    endGroupsWithHost();
    context.mayEndIn?.(graceMs + endingMs);
    if (given['dry-run']) {
      const { rows, isWhole } = await dryRun(serving);
      for (const row of rows) terminal.row(row);
      return isWhole ? exitCodes.success : exitCodes.server;
    }
    if (port === undefined) {
      const { stdin, wire: stdout } = context;
      if (!(stdin instanceof Readable && stdout instanceof Writable))
        throw new UsageError('Only a process can serve over stdio.');
      await serveStdio(serving, { stdin, stdout, signal, graceMs });
    } else {
      const { 'max-sessions': maxSessions, idle: idleMs } = given;
      const onListening = (url: string) => terminal.note(`serving at ${url}`);
      const http = { port, host, token, origins, maxSessions, idleMs, graceMs, signal, onListening };
      await listening(serveHttp(serving, http), `${host}:${port}`, '--port or --host');
    }
    return exitCodes.success;
  },
});

function tokenFrom([source, second]: readonly string[], context: Context): string | undefined {
  if (source === undefined) return undefined;
  if (second !== undefined) throw new UsageError('--token can be given once: everybody who has the token is one user.');
  const token = secretFrom('token', source, context);
  if (/^[!-~]{16,}$/.test(token)) return token;
  throw new UsageError('The token has to have 16 or more visible ASCII characters, without spaces.');
}

/** The servers with what the command line and their entries say of them. One of several whose entry is wrong fails to start. */
async function servedServers(given: Given<typeof options>, context: Context): Promise<NamedServer[]> {
  const chosen = await chosenServers(given, context);
  const settingsOf = serverSettings(given, chosen.length, context);
  return chosen.map((each) => {
    const { name = 'server', address } = each;
    try {
      return { name, address, ...settingsOf(each), idleTimeoutMs: given['idle-timeout'] ?? each.idleTimeoutMs };
    } catch (problem) {
      if (!(problem instanceof UsageError) || chosen.length === 1) throw problem;
      return { name, address, problem };
    }
  });
}

/** Returns the log. Nobody else can read its file, and lines that the file cannot take go to stderr. */
function logOf({ log: path, 'log-format': format = 'text' }: Given<typeof options>, { terminal, cwd }: Context): Log {
  const place = path === undefined ? undefined : resolve(cwd, path);
  const file = place === undefined ? undefined : withFile(place, 'written', () => openSync(place, 'a', 0o600));
  return (text, about) => {
    const line = logLine(format, text, about);
    try {
      if (file === undefined) terminal.note(line);
      else writeSync(file, `${line}\n`);
    } catch {
      terminal.note(line);
    }
  };
}
