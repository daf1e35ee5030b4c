import type { Output, Terminal } from './terminal/terminal.js';

export interface Io {
  stdin: AsyncIterable<Uint8Array | string>;
  stdout: Output;
  stderr: Output;
  env: Env;
  cwd: string;
  signal: AbortSignal;
  /** How long the process may take to end after SIGTERM, in milliseconds. By default nine seconds. */
  mayEndIn?: ((ms: number) => void) | undefined;
  /** @param isHidden whether what is typed stays invisible */
  ask?: ((question: string, signal?: AbortSignal, isHidden?: boolean) => Promise<string>) | undefined;
  open?: ((url: string) => Promise<boolean>) | undefined;
}

export type Env = Readonly<Record<string, string | undefined>>;

export interface Context extends Omit<Io, 'stdout' | 'stderr'> {
  terminal: Terminal;
  wire: Output;
}

/** How a question ends that asks for consent: the terminal takes no answer to it that was typed before. */
export const consentEnd = ' [y/N] ';

export async function agrees(ask: NonNullable<Io['ask']>, question: string, signal?: AbortSignal): Promise<boolean> {
  return /^(?:y|yes)$/i.test((await ask(`${question}${consentEnd}`, signal)).trim());
}
