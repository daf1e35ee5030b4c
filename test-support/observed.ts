import { stripVTControlCharacters } from 'node:util';
import { run } from '../src/cli/run.js';

/** The running command `observe`. */
export interface Observed {
  /** The base URL that it prints for frameworks. */
  readonly url: string;
  /** The same without a path. */
  readonly origin: string;
  /** Its output so far. */
  readonly written: { stdout: string; stderr: string };
  /** Presses Ctrl-C; resolves with the output and the exit code. */
  stop(): Promise<{ code: number; stdout: string; stderr: string }>;
}

/**
 * Starts `observe` in this process.
 *
 * @param argv the arguments after the word `observe`
 * @param columns the width of its coloured terminal; without it, the output is a file
 */
export async function startObserving(argv: readonly string[], columns?: number): Promise<Observed> {
  const interruption = new AbortController();
  const written = { stdout: '', stderr: '' };
  const waiting: (() => void)[] = [];
  const output = (name: keyof typeof written) => ({
    write(text: string) {
      written[name] += text;
      for (const look of waiting) look();
    },
    ...(columns !== undefined && { isTTY: true, columns }),
  });
  const ended = run(['observe', ...argv], {
    stdin: (async function* () {})(),
    stdout: output('stdout'),
    stderr: output('stderr'),
    env: columns === undefined ? {} : { FORCE_COLOR: '1' },
    cwd: '/',
    signal: interruption.signal,
  });
  const listening = new Promise<string>((resolve) => {
    waiting.push(() => {
      const url = /^Base URL for your framework: (\S+)$/m.exec(stripVTControlCharacters(written.stderr))?.[1];
      if (url !== undefined) resolve(url);
    });
  });
  const failed = ended.then((code) => {
    throw new Error(`observe ended with ${code}: ${written.stderr}`);
  });
  failed.catch(() => {});
  const url = await Promise.race([listening, failed]);
  return {
    ...{ url, origin: new URL(url).origin, written },
    async stop() {
      interruption.abort();
      return { code: await ended, ...written };
    },
  };
}
