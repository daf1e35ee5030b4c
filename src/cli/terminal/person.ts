import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';
import { consentEnd } from '../context.js';
import type { Output } from './terminal.js';

/** The person at a terminal, asked line by line. What they type is read from the first question on. */
export function personAt({
  stdin,
  stderr,
  signal: interruption,
}: {
  stdin: Readable;
  stderr: Output;
  signal: AbortSignal;
}) {
  let typed: Interface | undefined;
  const early: string[] = [];
  let waiting: ((line: string) => void) | undefined;

  /** One line; none when the input ends instead. */
  async function ask(question: string, signal: AbortSignal = interruption): Promise<string> {
    if (!typed) {
      // Without its own terminal mode, Ctrl-C stays the signal that it is everywhere else here.
      typed = createInterface({ input: stdin, terminal: false });
      typed.on('line', (line) => {
        const answer = waiting;
        waiting = undefined;
        // Lines may come together.
        if (answer) answer(line);
        else early.push(line);
      });
      typed.on('close', () => waiting?.(''));
    }
    // What was typed before the question was on the screen agrees to nothing.
    if (question.endsWith(consentEnd)) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      early.length = 0;
    }
    stderr.write(question);
    const either = AbortSignal.any([signal, interruption]);
    try {
      return (
        early.shift() ??
        (await new Promise<string>((resolve, reject) => {
          waiting = resolve;
          if (stdin.readableEnded) resolve('');
          either.addEventListener('abort', () => reject(new Error('Nobody waits for an answer any more.')), {
            once: true,
          });
        }))
      );
    } finally {
      waiting = undefined;
    }
  }

  return { ask, close: () => typed?.close() };
}
