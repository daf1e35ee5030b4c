import { run } from '../../src/cli/run.js';

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command line in this process. With `columns` the output is a terminal of that width. */
export async function cli(argv: readonly string[], about: { columns?: number; env?: Record<string, string>; stdin?: string; cwd?: string } = {}): Promise<Ran> {
  const written = { stdout: '', stderr: '' };
  const output = (name: keyof typeof written) => ({
    write: (text: string) => (written[name] += text),
    ...(about.columns !== undefined && { isTTY: true, columns: about.columns }),
  });
  const code = await run(argv, {
    stdin: one(about.stdin ?? ''),
    stdout: output('stdout'),
    stderr: output('stderr'),
    env: about.env ?? {},
    cwd: about.cwd ?? '/',
    signal: new AbortController().signal,
  });
  return { code, ...written };
}

async function* one(text: string): AsyncGenerator<string> {
  yield text;
}
