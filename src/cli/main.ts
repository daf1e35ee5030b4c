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

const interruption = new AbortController();
process.once('SIGINT', () => interruption.abort());

void run(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  signal: interruption.signal,
}).then((code) => {
  process.exitCode = code;
});
