import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { lineSplitter, pause, type Message } from '../mcp/index.js';
import { Client } from './clients/client.js';
import { Refusal } from './errors.js';
import { messagesIn } from './messages.js';
import { Outbox } from './outbox.js';
import { Principal, statelessIdentity, withSafeLog, type ServeOptions } from './principal.js';
import { metaIn } from './revisions.js';

/** The longest message that is read, in bytes. */
const maxMessageBytes = 128 * 1024 * 1024;

/** How long answers that are under way are waited for when the client has closed its end, in milliseconds. */
const drainMs = 1000;

/** Serves one client over stdin and stdout; its first message says how it speaks. Resolves when the client is gone. */
export async function serveStdio(
  options: ServeOptions,
  { stdin, stdout, signal }: { stdin: Readable; stdout: Writable; signal: AbortSignal },
): Promise<void> {
  const safe = withSafeLog(options);
  const over = new AbortController();
  const end = () => {
    over.abort();
  };
  const outbox = new Outbox(stdout, (reason) => {
    safe.log(`The client was disconnected: ${reason}.`);
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
    const isStateless = 'params' in first && metaIn(first.params).envelope !== undefined;
    if (isStateless) return new Client((principal = new Principal(safe, statelessIdentity)), wire);
    return new Client((identity) => (principal = new Principal(safe, identity)), wire);
  };
  const take = (line: string) => {
    if (line.trim() === '') return;
    const messages = messagesIn(line);
    if (messages instanceof Refusal) {
      const { code, message } = messages;
      wire.send(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }));
    } else for (const message of messages) (client ??= open(message)).take(message);
  };
  const lines = lineSplitter(maxMessageBytes, take, () => {
    safe.log(`The client sent a message of more than ${maxMessageBytes} bytes.`);
    end();
  });
  const onData = (chunk: Buffer) => {
    lines.push(chunk);
  };
  const onEnd = async () => {
    const until = performance.now() + drainMs;
    await pause(0);
    while (client?.isIdle === false && performance.now() < until) await pause(10, over.signal);
    end();
  };
  stdin.on('data', onData);
  for (const event of ['end', 'close', 'error']) stdin.once(event, () => void onEnd());
  // A client that is gone reads nothing any more.
  for (const event of ['close', 'error']) stdout.once(event, end);
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  if (!over.signal.aborted) await once(over.signal, 'abort');
  stdin.off('data', onData);
  stdin.pause();
  client?.close();
  await principal?.close();
}
