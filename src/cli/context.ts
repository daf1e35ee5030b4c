import type { Output, Terminal } from './terminal/terminal.js';

/** What the process gives a command; tests give their own. */
export interface Io {
  stdin: Input;
  stdout: Output;
  stderr: Output;
  env: Env;
  cwd: string;
  signal: AbortSignal;
}

export type Input = AsyncIterable<Uint8Array | string> & { isTTY?: boolean };
export type Env = Readonly<Record<string, string | undefined>>;

/** What a command works with. */
export interface Context extends Io {
  terminal: Terminal;
}
