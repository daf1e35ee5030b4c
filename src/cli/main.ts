#!/usr/bin/env node
import { isatty } from 'node:tty';
import type { Io } from './context.js';
import { exitCodes } from './command.js';
import { run } from './run.js';
import type { Person } from './terminal/person.js';

// Modules and streams that `--help` can do without are not loaded: each takes about a millisecond.
const terminated = 143;
const interruption = new AbortController();
process.once('SIGINT', () => interruption.abort());
// `docker stop` and `timeout` send it: servers get to clean up, as by SIGINT. `docker stop` kills after ten seconds.
let isTerminated = false;
let endMs = 9000;
process.on('SIGTERM', () => {
  if (isTerminated) process.exit(terminated);
  isTerminated = true;
  interruption.abort();
  setTimeout(() => process.exit(terminated), endMs).unref();
});

// A reader that has seen enough (`| head`) need not be told.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') io.stderr.write(`error: The output cannot be written: ${error.message}\n`);
  process.exit(exitCodes.output);
});

let stderr: NodeJS.WriteStream | undefined;
let person: Person | undefined;

const io: Io = {
  stdout: process.stdout,
  env: process.env,
  cwd: process.cwd(),
  signal: interruption.signal,
  mayEndIn(ms) {
    endMs = Math.min(ms, 2 ** 31 - 1); // Node's timers fire at once beyond that
  },
  get stdin() {
    return process.stdin;
  },
  get stderr() {
    // There is nowhere left to say so.
    stderr ??= process.stderr.on('error', () => undefined);
    return stderr;
  },
  ...(isatty(0) &&
    isatty(2) && {
      ask: async (...question) => (await personHere()).ask(...question),
      open: async (url) => (await personHere()).open(url),
    }),
};

void run(process.argv.slice(2), io).then((code) => {
  person?.close();
  process.exitCode = isTerminated ? terminated : code;
});

async function personHere(): Promise<Person> {
  const { personAt } = await import('./terminal/person.js');
  return (person ??= personAt(process.stdin, io.stderr, interruption.signal));
}

// Bundlers take a file without exports for CommonJS here, and wrap all that it imports.
export {};
