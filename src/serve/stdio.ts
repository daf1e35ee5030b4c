import type { Readable, Writable } from 'node:stream';
import { parseJson } from '../json/index.js';
import { lineSplitter, pause, readMessages, revisionKey, type Message } from '../mcp/index.js';
import { isObject } from '../json/index.js';
import { Client } from './clients/client.js';
import { Outbox } from './outbox.js';
import { Principal, statelessIdentity, withSafeLog, type ServeOptions } from './principal.js';

/** The longest message that is read, in bytes. */
const longestMessage = 128 * 1024 * 1024;

/** How long answers that are under way are waited for when the client has closed its end, in milliseconds. */
const drainMs = 1000;

/** Serves one client over stdin and stdout; its first message says how it speaks. Resolves when the client is gone. */
export async function serveStdio(
  options: ServeOptions,
  { stdin, stdout, signal }: { stdin: Readable; stdout: Writable; signal: AbortSignal },
): Promise<void> {
  const safe = withSafeLog(options);
  const gone = new AbortController();
  const end = () => {
    gone.abort();
  };
  const outbox = new Outbox(stdout, (reason) => {
    safe.log(`The client is given up: ${reason}.`);
    end();
  });
  const wire = {
    send: (text: string) => {
      outbox.write(`${text}\n`);
    },
  };
  let principal: Principal | undefined;
  let client: Client | undefined;
  const open = (first: Message): Client => {
    if (isStateless(first)) return new Client((principal = new Principal(safe, statelessIdentity)), wire);
    return new Client((identity) => (principal = new Principal(safe, identity)), wire);
  };
  const lines = lineSplitter(
    longestMessage,
    (line) => {
      if (line.trim() === '') return;
      const messages = readMessages(line);
      if (!messages) {
        const error = parseJson(line) === undefined ? [-32700, 'Parse error'] : [-32600, 'Invalid Request'];
        wire.send(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: error[0], message: error[1] } }));
      }
      for (const message of messages ?? []) (client ??= open(message)).take(message);
    },
    () => {
      safe.log(`The client sent a message of more than ${longestMessage} bytes.`);
      end();
    },
  );
  const onData = (chunk: Buffer) => {
    lines.push(chunk);
  };
  const onEnd = async () => {
    const until = performance.now() + drainMs;
    await pause(0);
    while (client?.isIdle === false && performance.now() < until) await pause(10, gone.signal);
    end();
  };
  stdin.on('data', onData);
  for (const event of ['end', 'close', 'error']) stdin.once(event, () => void onEnd());
  // A client that is gone reads nothing any more.
  for (const event of ['close', 'error']) stdout.once(event, end);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  await new Promise<void>((resolve) => {
    if (gone.signal.aborted) resolve();
    gone.signal.addEventListener('abort', () => {
      resolve();
    });
  });
  stdin.off('data', onData);
  stdin.pause();
  client?.close();
  await principal?.close();
}

function isStateless(message: Message): boolean {
  const meta = 'params' in message ? message.params['_meta'] : undefined;
  return isObject(meta) && revisionKey in meta;
}
