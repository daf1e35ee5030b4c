import { Readable, Writable } from 'node:stream';
import { leastResultLength, providers, type ToolPolicy } from '../../internal.js';
import { isObject } from '../../json/index.js';
import { endGroupsWithHost, isLoopback, serveHttp, serveStdio } from '../../serve/index.js';
import type { NamedServer, ServeOptions } from '../../serve/index.js';
import { command, type Given, names, oneOf, type Option, parsed, text, texts } from '../command.js';
import type { Context, Env } from '../context.js';
import { exitCodes, UsageError } from '../exit.js';
import { repair } from '../repairs.js';
import { approvedOption, portOption, seconds, serverOptions } from '../server-options.js';
import { approvedIn } from '../servers/approved.js';
import { chosenServers } from '../servers/choose.js';
import { expand, secretFrom } from '../servers/config-file.js';

const options = {
  ...serverOptions,
  port: portOption('serve over HTTP instead of stdio; 0 takes a free port'),
  host: text('HOST', 'listen here; default 127.0.0.1; any other address than loopback requires --token'),
  token: once(
    "'${NAME}'",
    'require clients to send this as Authorization: Bearer; read from a variable, or with @FILE from a file; 16 characters or more',
  ),
  'allow-origin': texts('ORIGIN', 'let web pages of this origin connect; repeatable'),
  'max-sessions': count('N', 'keep at most this many sessions open; default 100'),
  idle: seconds('close a session that nobody has used for this long; default 1800'),
  grace: seconds('when it is ended, let calls finish for this long; default 5'),
  'question-timeout': seconds('cancel a question of a server that nobody answers for this long; default 60'),
  provider: oneOf(
    Object.keys(providers) as (keyof typeof providers)[], // its own keys
    'NAME',
    'adapt schemas to the models of openai, anthropic, google or another of docs/providers.md',
  ),
  approved: approvedOption('expose only tools that were approved and have not changed since'),
  fixed: texts(
    'TOOL.ARGUMENT=VALUE',
    'set this argument yourself; it is hidden from the model; repeatable; ${NAME} is read from the environment',
  ),
  'tool-search': oneOf(
    ['off', 'on', 'auto'],
    'MODE',
    'on: expose three tools, to search, describe and call the others; auto: do so if there are many tools; default off',
  ),
  always: names('A,B', 'with --tool-search: always expose these tools'),
  'max-result-length': count(
    'N',
    'shorten the text of a result to N characters, its notice included',
    leastResultLength,
  ),
  repair,
};

export const serve = command({
  about: `Runs an MCP server in front of other servers, for clients that you cannot change. Tools are sent as their server
wrote them, invalid tools are skipped, and malformed arguments are repaired. Everything else in the protocol passes
through. It uses stdio, or with --port streamable HTTP at /mcp. Several servers of a --config become one; their names
are put in front of the names of their tools. Clients are isolated from one another.`,
  options,
  examples: ['serve -- npx -y @modelcontextprotocol/server-sequential-thinking', 'serve --port 3100 --config mcp.json'],
  async run(given, context) {
    const { terminal, signal } = context;
    const { port, host = '127.0.0.1', 'allow-origin': origins, 'tool-search': toolSearch = 'off', always } = given;
    const ofHttp = ['host', 'token', 'allow-origin', 'max-sessions', 'idle'] as const;
    const needsPort = ofHttp.find((option) => [given[option]].flat().some((value) => value !== undefined));
    if (port === undefined && needsPort) throw new UsageError(`--${needsPort} only works with --port.`);
    if (toolSearch === 'off' && always.length > 0)
      throw new UsageError('--always only works with --tool-search on or auto.');
    const token = given.token === undefined ? undefined : tokenFrom(given.token, context);
    if (!isLoopback(host) && token === undefined)
      throw new UsageError(
        `Others than this machine can reach ${host}, so a token is needed: --token '\${MCP_TOKEN}'.`,
      );
    const wrong = origins.find((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
    if (wrong !== undefined)
      throw new UsageError(`--allow-origin takes an origin such as https://app.example; it was "${wrong}".`);
    const servers = await servedServers(given, context);
    const serving: ServeOptions = {
      servers,
      // A schema that cannot be decided upon is no reason to keep a call from a server that will decide.
      tool: { repairs: given.repair, whenUndetermined: 'allow' },
      provider: given.provider,
      toolSearch,
      always,
      idleTimeoutMs: given['idle-timeout'] ?? 60_000,
      questionTimeoutMs: given['question-timeout'],
      log: terminal.note,
    };
    endGroupsWithHost();
    if (port === undefined) await serveStdio(serving, { ...streamsOf(context), signal, graceMs: given.grace });
    else {
      const { 'max-sessions': maxSessions, idle: idleMs } = given;
      const onListening = (url: string) => terminal.note(`serving at ${url}`);
      const http = { port, host, token, origins, maxSessions, idleMs, graceMs: given.grace, signal, onListening };
      await serveHttp(serving, http).catch((error: unknown) => {
        const { syscall, code = '' } = error as NodeJS.ErrnoException; // both are undefined for any other error
        if (syscall !== 'listen' && syscall !== 'getaddrinfo') throw error;
        throw new UsageError(`Nothing can listen at ${host}:${port} (${code}). Choose another --port or --host.`);
      });
    }
    return exitCodes.success;
  },
});

/** A second token would look like a second user. */
function once(value: string, about: string): Option<string | undefined> {
  const read = (given: readonly string[], name: string) => {
    if (given.length < 2) return given[0];
    throw new UsageError(`--${name} can be given once: everybody who has the token is one user.`);
  };
  return { value, about, read };
}

function count(value: string, about: string, least = 1): Option<number | undefined> {
  const read = (text: string) =>
    Number.isSafeInteger(Number(text)) && Number(text) >= least ? Number(text) : undefined;
  return parsed(value, about, `a number of at least ${least}`, read);
}

function tokenFrom(source: string, context: Context): string {
  const token = secretFrom('token', source, context);
  if (/^[!-~]{16,}$/.test(token)) return token;
  throw new UsageError('The token has to have 16 or more visible ASCII characters, without spaces.');
}

/** The servers with what the command line and their entries say of them. One whose entry is wrong costs no other. */
async function servedServers(given: Given<typeof options>, context: Context): Promise<NamedServer[]> {
  const approvedOf = approvedIn(given.approved, context.cwd);
  const chosen = await chosenServers(given, context);
  if (given.fixed.length > 0 && chosen.length > 1)
    throw new UsageError('--fixed is for one server. Of several, each has a "fixed" in its entry.');
  const served: NamedServer[] = [];
  for (const each of chosen) {
    const { name = 'server', entry } = each;
    try {
      const { fixed = {}, maxResultLength } = isObject(entry) ? entry : {};
      if (
        maxResultLength !== undefined &&
        !(typeof maxResultLength === 'number' && maxResultLength >= leastResultLength)
      )
        throw new UsageError(
          `"maxResultLength" of the server "${name}" is not a number of characters from ${leastResultLength} on.`,
        );
      served.push({
        name,
        address: each.address,
        idleTimeoutMs: given['idle-timeout'] ?? each.idleTimeoutMs,
        policy: { approved: approvedOf(each), fixed: fixedFor(name, fixed, given.fixed, context.env) },
        maxResultLength: given['max-result-length'] ?? maxResultLength,
      });
    } catch (error) {
      if (!(error instanceof UsageError) || chosen.length === 1) throw error;
      context.terminal.note(`${name} is left out: ${error.message}`);
    }
  }
  if (served.length === 0) throw new UsageError('No server is left.');
  return served;
}

/**
 * Those of the entry, `"fixed": { "search": { "tenant": "${TENANT}" } }`, and those of the command line,
 * `search.tenant=acme`. The name of a tool may have dots, that of an argument has none here.
 */
function fixedFor(server: string, inEntry: unknown, pairs: readonly string[], env: Env): ToolPolicy['fixed'] {
  if (!isObject(inEntry) || !Object.values(inEntry).every(isObject))
    throw new UsageError(`"fixed" of the server "${server}" is not of the form { "TOOL": { "ARGUMENT": value } }.`);
  const fixed: Record<string, Record<string, unknown>> = {};
  const fix = (tool: string, argument: string, value: unknown) => {
    fixed[tool] = { ...fixed[tool], [argument]: typeof value === 'string' ? expand(value, env) : value };
  };
  for (const [tool, values] of Object.entries(inEntry))
    for (const [argument, value] of Object.entries(values as object)) fix(tool, argument, value);
  for (const pair of pairs) {
    const [, tool, argument, value] = /^([^=]+)\.([^.=]+)=(.*)$/s.exec(pair) ?? [];
    if (tool === undefined || argument === undefined)
      throw new UsageError(`--fixed takes TOOL.ARGUMENT=VALUE; it was "${pair.split('=')[0] ?? ''}…".`);
    fix(tool, argument, value);
  }
  return fixed;
}

function streamsOf({ stdin, wire }: Context): { stdin: Readable; stdout: Writable } {
  const write = (chunk: Buffer, _encoding: unknown, done: () => void) => {
    wire.write(chunk.toString('utf8'));
    done();
  };
  return {
    stdin: stdin instanceof Readable ? stdin : Readable.from(stdin, { objectMode: false }),
    stdout: wire instanceof Writable ? wire : new Writable({ write }),
  };
}
