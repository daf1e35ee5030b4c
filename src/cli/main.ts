#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { run } from './run.js';
import { personAt } from './terminal/person.js';

// A reader that has seen enough (`| head`) is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

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
const person = personAt({ stdin: process.stdin, stderr: process.stderr, signal: interruption.signal });

void run(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  signal: interruption.signal,
  ...(process.stdin.isTTY && process.stderr.isTTY && { ask: person.ask, open }),
}).then((code) => {
  person.close();
  process.exitCode = code;
});
