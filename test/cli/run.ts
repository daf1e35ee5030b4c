import { expect } from 'vitest';
import { run } from '../../src/cli/run.js';

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs a command line in this process. With `columns`, stdout and stderr are a terminal of that width; `only` names the
 * one that is, if the other goes to a file.
 */
export async function cli(
  argv: readonly string[],
  about: {
    columns?: number;
    only?: 'stdout' | 'stderr';
    env?: Record<string, string>;
    /** The typed text, which may depend on the output so far. */
    stdin?: string | ((shown: string) => Promise<string>);
    cwd?: string;
    signal?: AbortSignal;
    /** The answers of the person at the terminal, who sees stderr; without them there is nobody to ask. */
    answer?: string | ((shown: string, signal?: AbortSignal) => string | Promise<string>);
    open?: (url: string) => Promise<boolean>;
  } = {},
): Promise<Ran> {
  const { answer } = about;
  const written = { stdout: '', stderr: '' };
  const output = (name: keyof typeof written) => ({
    write: (text: string) => (written[name] += text),
    ...(about.columns !== undefined && (about.only ?? name) === name && { isTTY: true, columns: about.columns }),
  });
  const code = await run(argv, {
    stdin: one(() => (typeof about.stdin === 'function' ? about.stdin(written.stderr) : (about.stdin ?? ''))),
    stdout: output('stdout'),
    stderr: output('stderr'),
    env: about.env ?? {},
    cwd: about.cwd ?? '/',
    signal: about.signal ?? new AbortController().signal,
    ...(about.open && { open: about.open }),
    ...(answer !== undefined && {
      ask: async (question: string, signal?: AbortSignal) => {
        written.stderr += question;
        return typeof answer === 'string' ? answer : answer(written.stderr, signal);
      },
    }),
  });
  return { code, ...written };
}

async function* one(text: () => string | Promise<string>): AsyncGenerator<string> {
  // In pieces, as a pipe may be read.
  yield* (await text()).match(/[^]{1,10}/g) ?? [];
}

export const containing = (text: string) => expect.stringContaining(text) as string;
export const matching = (pattern: RegExp) => expect.stringMatching(pattern) as string;
