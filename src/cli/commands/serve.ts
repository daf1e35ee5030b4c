import { Readable, Writable } from 'node:stream';
import { Hub, isLoopback, serveHttp, serveStdio } from '../../serve/index.js';
import type { Provider } from '../../index.js';
import type { Command } from '../arguments.js';
import type { Context } from '../context.js';
import { exitCodes, UsageError } from '../exit.js';
import { chosenServers } from '../servers/choose.js';
import { expand } from '../servers/config-file.js';
import { oneLine } from '../terminal/text.js';
import { wantedRepairs } from './call.js';

const providers: readonly Provider[] = ['openai', 'anthropic', 'google'];

const defaultTimeoutMs = 60_000;

/** Stands as a server in front of the servers that the command line means, until the client is gone or Ctrl-C. */
export async function serve(command: Command, context: Context): Promise<number> {
  const { terminal, signal } = context;
  const { port, host = '127.0.0.1', token } = command.serve;
  const provider = wantedProvider(command.serve.provider);
  const expected = token === undefined ? undefined : expand(token, context.env);
  if (!isLoopback(host) && !expected) {
    throw new UsageError(`Others than this machine can reach ${host}, so a token is needed: --token '\${MCP_TOKEN}'.`);
  }
  const servers = await chosenServers(command.server, context);
  const repairs = wantedRepairs(command);
  const hub = new Hub({
    servers: servers.map(({ name, address }) => ({ name: name ?? 'server', address })),
    // A schema that cannot be decided upon is no reason to keep a call from a server that will decide.
    tool: { ...(repairs !== undefined && { repairs }), whenUndetermined: 'allow', whenUnsatisfiable: 'allow' },
    provider,
    timeoutMs: command.timeoutMs ?? defaultTimeoutMs,
    log: (line) => {
      terminal.note(oneLine(line));
    },
  });
  try {
    if (port === undefined) await serveStdio(hub, { ...streamsOf(context), signal });
    else {
      const onListening = (url: string) => {
        terminal.note(`serving at ${url}`);
      };
      await serveHttp(hub, { port, host, token: expected, signal, onListening });
    }
  } finally {
    await hub.close();
  }
  return exitCodes.success;
}

function wantedProvider(name: string | undefined): Provider | undefined {
  const provider = providers.find((known) => known === name);
  if (name !== undefined && !provider)
    throw new UsageError(`--provider takes one of ${providers.join(', ')}; it was "${name}".`);
  return provider;
}

/** The process's own streams; what else a caller gives is made into some. */
function streamsOf({ stdin, stdout }: Context): { stdin: Readable; stdout: Writable } {
  return {
    stdin: stdin instanceof Readable ? stdin : Readable.from(stdin),
    stdout:
      stdout instanceof Writable
        ? stdout
        : new Writable({
            write(chunk: Buffer, _encoding, done) {
              stdout.write(chunk.toString('utf8'));
              done();
            },
          }),
  };
}
