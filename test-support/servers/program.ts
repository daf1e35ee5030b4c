import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Program extends AsyncDisposable {
  /** The URL that it printed first. */
  url: string;
  /** All lines it printed. */
  printed: string[];
  close(): Promise<void>;
}

/** The path of a program in this folder. */
export function programPath(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/**
 * Starts a server program and waits until it prints a URL.
 *
 * @param where the stream with the URL, and the text around it
 */
export async function startProgram(
  script: string,
  args: readonly string[],
  env: Record<string, string> = {},
  ready = /https?:\/\/\S+/,
): Promise<Program> {
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const printed: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    const read = (line: string) => {
      printed.push(line);
      const found = ready.exec(line);
      if (found) resolve(found[0]);
    };
    createInterface({ input: child.stdout }).on('line', read);
    createInterface({ input: child.stderr }).on('line', read);
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}:\n${printed.join('\n')}`)));
  });
  const close = () =>
    new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
  return { url, printed, close, [Symbol.asyncDispose]: close };
}
