import { spawn } from 'node:child_process';
import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';
import { ReadStream } from 'node:tty';
import { consentEnd } from '../context.js';
import type { Output } from './terminal.js';

export type Person = ReturnType<typeof personAt>;

export function personAt(stdin: Readable, stderr: Output, interruption: AbortSignal) {
  let typed: Interface | undefined;
  const early: string[] = [];
  let waiting: ((line: string) => void) | undefined;

  async function ask(question: string, signal: AbortSignal = interruption, isHidden = false): Promise<string> {
    if (!typed) {
      // Without its own terminal mode, Ctrl-C stays the signal that it is everywhere else here.
      typed = createInterface({ input: stdin, terminal: false });
      typed.on('line', (line) => {
        const answer = waiting;
        waiting = undefined;
        if (answer) answer(line);
        else early.push(line);
      });
      typed.on('close', () => waiting?.(''));
    }
    // Text typed before the question was on the screen agrees to nothing.
    if (question.endsWith(consentEnd)) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      // If this process was busy, the moment may have passed without reading anything.
      await new Promise((resolve) => setImmediate(resolve));
      early.length = 0;
    }
    // A person who sees the question may type at once.
    if (isHidden) hide(true);
    stderr.write(question);
    const either = AbortSignal.any([signal, interruption]);
    try {
      const line =
        early.shift() ??
        (await new Promise<string>((resolve, reject) => {
          waiting = resolve;
          if (stdin.readableEnded) resolve('');
          const giveUp = () => reject(new Error('Nobody waits for an answer any more.'));
          either.addEventListener('abort', giveUp, { once: true });
        }));
      return isHidden ? edited(line) : line;
    } finally {
      waiting = undefined;
      if (isHidden) hide(false);
    }
  }

  /** In its raw mode a terminal shows nothing, and leaves the keys that end or edit a line to this program. */
  function hide(isHidden: boolean): void {
    if (!(stdin instanceof ReadStream)) return;
    stdin.setRawMode(isHidden);
    if (isHidden) stdin.on('data', interruptedBy);
    else {
      stdin.off('data', interruptedBy);
      stderr.write('\n');
    }
  }

  return { ask, open, close: () => typed?.close() };
}

function interruptedBy(keys: Buffer | string): void {
  if (String(keys).includes('\x03')) process.kill(process.pid, 'SIGINT');
}

/** A line without the characters that backspaces took back; Ctrl-U takes all back. */
function edited(line: string): string {
  let kept = '';
  for (const key of line) {
    if (key === '\x15') kept = '';
    else if (key === '\x7f' || key === '\b') kept = kept.slice(0, -1);
    else kept += key;
  }
  return kept;
}

/** Starts the person's browser, without a shell: a server's address must never become a command. */
async function open(url: string): Promise<boolean> {
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : ['xdg-open'];
  const browser = spawn(command, [...args, new URL(url).href], { stdio: 'ignore', detached: true }); // each has one
  browser.unref();
  return new Promise((resolve) => {
    browser.once('spawn', () => resolve(true));
    browser.once('error', () => resolve(false));
  });
}
