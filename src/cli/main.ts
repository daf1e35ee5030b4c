#!/usr/bin/env node
import { run } from './run.js';

// A reader that has seen enough (`| head`) is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

/** One line from the person at the terminal; none when the input ends instead. */
async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  // Without its own terminal mode, Ctrl-C stays the signal that it is everywhere else here.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    return await Promise.race([lines.question(question, { signal: interruption.signal }), ended]);
  } finally {
    lines.close();
  }
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
  ...(process.stdin.isTTY && process.stderr.isTTY && { ask }),
}).then((code) => {
  process.exitCode = code;
});
