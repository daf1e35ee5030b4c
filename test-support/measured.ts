import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

/**
 * What a program prints, a JSON value on each line. It runs in a process of its own with a heap of 300 MB, so that what
 * counts is the peak; as one module, which takes a fifth less time than what tsx makes of it.
 */
export async function measuredBy<T>(program: URL): Promise<T[]> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(program)],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
  });
  const args = ['--max-old-space-size=300', '--input-type=module'];
  const running = promisify(execFile)(process.execPath, args, { maxBuffer: 10_000_000 });
  // What ends the child early says more than that it did not read on.
  running.child.stdin?.on('error', () => {}).end(outputFiles[0]?.text);
  const { stdout } = await running;
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T); // as the program prints it
}

/** Milliseconds that this process works, in its own time or the system's, whatever else the machine does. */
export function worked(task: () => unknown): number {
  const before = process.cpuUsage();
  task();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
