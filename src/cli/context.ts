import type { Output, Terminal } from './terminal/terminal.js';

export interface Io {
  stdin: AsyncIterable<Uint8Array | string>;
  stdout: Output;
  stderr: Output;
  env: Env;
  cwd: string;
  signal: AbortSignal;
  /** Asks the person at the terminal; absent where there is none. */
  ask?: (question: string, signal?: AbortSignal) => Promise<string>;
  /** Resolves with whether a browser was started. Absent where there is none. */
  open?: (url: string) => Promise<boolean>;
}

export type Env = Readonly<Record<string, string | undefined>>;

/** What people read goes through the terminal, questions included. */
export interface Context extends Omit<Io, 'stdout' | 'stderr'> {
  terminal: Terminal;
  /** The process's stdout as it is, for the messages of a protocol. */
  wire: Output;
}

/** How a question ends that asks for consent: the terminal takes no answer to it that was typed before. */
export const consentEnd = ' [y/N] ';
