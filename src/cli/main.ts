#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { createInterface, type Interface } from 'node:readline';
import { consentEnd } from './context.js';
import { run } from './run.js';

// A reader that has seen enough (`| head`) is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

/** The lines that the person types; read from the first question on. */
let typed: Interface | undefined;
const early: string[] = [];
let waiting: ((line: string) => void) | undefined;

/** One line from the person at the terminal; none when the input ends instead. */
async function ask(question: string, signal: AbortSignal = interruption.signal): Promise<string> {
  if (!typed) {
    // Without its own terminal mode, Ctrl-C stays the signal that it is everywhere else here.
    typed = createInterface({ input: process.stdin, terminal: false });
    typed.on('line', (line) => (waiting ? waiting(line) : early.push(line)));
    typed.on('close', () => waiting?.(''));
  }
  // What was typed before the question was on the screen agrees to nothing.
  if (question.endsWith(consentEnd)) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    early.length = 0;
  }
  process.stderr.write(question);
  const either = AbortSignal.any([signal, interruption.signal]);
  try {
    return (
      early.shift() ??
      (await new Promise<string>((resolve, reject) => {
        waiting = resolve;
        if (process.stdin.readableEnded) resolve('');
        either.addEventListener('abort', () => reject(new Error('Nobody waits for an answer any more.')), {
          once: true,
        });
      }))
    );
  } finally {
    waiting = undefined;
  }
}

/** Starts the browser, without a shell: what a server names must never become a command. */
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

const interruption = new AbortController();
process.once('SIGINT', () => interruption.abort());

void run(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  signal: interruption.signal,
  ...(process.stdin.isTTY && process.stderr.isTTY && { ask, open }),
}).then((code) => {
  typed?.close();
  process.exitCode = code;
});
