import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { answerText, lineSplitter, pause } from '../mcp/index.js';
import { Client, drained, stopping } from './clients/client.js';
import { failureOf } from './errors.js';
import { messageIn } from './message-size.js';
import { outboxFor } from './outbox.js';
import { withSafeLog } from './log.js';
import type { ServeOptions } from './principal.js';

const maxMessageBytes = 128 * 1024 * 1024;

/** Answers may take so many milliseconds after the client has closed its end. */
const drainMs = 1000;

interface StdioOptions {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly signal: AbortSignal;
  readonly graceMs?: number | undefined;
}

/** Serves one client over stdin and stdout; its first message says how it speaks. Resolves when the client is gone. */
export async function serveStdio(options: ServeOptions, stdio: StdioOptions): Promise<void> {
  const { stdin, stdout, signal, graceMs } = stdio;
  const over = new AbortController();
  const end = (reason: string) => over.abort(reason);
  const outbox = outboxFor(stdout, end);
  const send = (text: string) => outbox.write(`${text}\n`);
  const wire = { send, answer: (_id: unknown, text: string) => send(text) };
  const client = new Client(withSafeLog(options), wire);
  const take = (line: string) => {
    if (line.trim() === '') return;
    try {
      client.take(messageIn(line));
    } catch (error) {
      send(answerText('null', { error: failureOf(error, false).text }));
    }
  };
  const lines = lineSplitter(maxMessageBytes, take, () =>
    end(`it sent a message of more than ${maxMessageBytes} bytes`),
  );
  const onData = (chunk: Buffer) => lines.push(chunk);
  const onEnd = async () => {
    const until = performance.now() + drainMs;
    await pause(0);
    while (!client.isIdle && performance.now() < until) await pause(10, over.signal);
    end('the client has closed its end');
  };
  stdin.on('data', onData);
  for (const event of ['end', 'close', 'error']) stdin.once(event, () => void onEnd());
  // A client that is gone reads nothing any more.
  for (const event of ['close', 'error']) stdout.once(event, () => end('the client reads nothing any more'));
  const stop = () => void drained(() => [client], graceMs).then(() => end(stopping));
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  if (!over.signal.aborted) await once(over.signal, 'abort');
  stdin.off('data', onData);
  stdin.pause();
  await client.close(String(over.signal.reason));
}
