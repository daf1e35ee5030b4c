import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { answerText, lineSplitter, pause } from '../mcp/index.js';
import { Client, drained, stopping, untilIdle } from './clients/client.js';
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
  readonly graceMs: number;
}

/** Serves one client over stdin and stdout; its first message says how it speaks. Resolves when the client is gone. */
export async function serveStdio(options: ServeOptions, stdio: StdioOptions): Promise<void> {
  const { stdin, stdout, signal, graceMs } = stdio;
  const over = new AbortController();
  const end = (reason: string) => over.abort(reason);
  const outbox = outboxFor(stdout, end);
  const send = (text: string) => outbox.write(`${text}\n`);
  const client = new Client(withSafeLog(options), { send, answer: (_id, text) => send(text) });
  const take = (line: string) => {
    if (line.trim() === '') return;
    try {
      client.take(messageIn(line));
    } catch (error) {
      send(answerText('null', { error: failureOf(error, false).text }));
    }
  };
  const lines = lineSplitter(maxMessageBytes);
  const onEnd = async () => {
    await pause(0);
    await untilIdle(() => [client], drainMs);
    end('the client has closed its end');
  };
  stdin.on('data', (chunk: Buffer) => {
    for (const line of lines.push(chunk)) take(line);
    if (lines.isTooLong) end(`it sent a message of more than ${maxMessageBytes} bytes`);
  });
  for (const event of ['end', 'close', 'error']) stdin.once(event, () => void onEnd());
  // A client that is gone reads nothing any more.
  for (const event of ['close', 'error']) stdout.once(event, () => end('the client reads nothing any more'));
  const stop = () => void drained(() => [client], graceMs).then(() => end(stopping));
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  if (!over.signal.aborted) await once(over.signal, 'abort');
  stdin.pause();
  client.takeBack();
  await client.principal?.close(String(over.signal.reason));
}
