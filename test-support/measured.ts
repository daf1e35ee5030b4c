import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

/**
 * The JSON values that a program prints, one on each line. The program runs in its own process with a heap of 300 MB,
 * so that its peak is bounded, and as one bundle, which takes a fifth less time than tsx.
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
  // The reason why the child ended early says more than its closed input.
  running.child.stdin?.on('error', () => {}).end(outputFiles[0]?.text);
  const { stdout } = await running;
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T); // the program prints this shape
}

/** The processor time of this process in milliseconds, its own and the system's, independent of other processes. */
export function worked(task: () => unknown): number {
  const before = process.cpuUsage();
  task();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

// Kept small, because it counts in the measured heap.
const rows = Array.from({ length: 50_000 }, (_unused, count) => ({ name: `row number ${count}`, count }));
const text = () => Array.from({ length: 10 }, () => JSON.stringify(rows).length);
const unit = () => Math.min(...[1, 2, 3].map(() => worked(text)));
const usual = unit();

/** Up to this many units count as prompt: about five seconds. Work that multiplies takes far more. */
export const promptUnits = 100;

/**
 * The processor time of a task in units of `JSON.stringify` for 20 MB, which takes about 50 ms: a slow machine is slow
 * at both. A task above `prompt` units is measured again, because something else may have slowed the machine down.
 *
 * @param own milliseconds that are added to the unit, such as those of `JSON.stringify` for the task's own value
 */
export function unitsOf(task: () => unknown, own = 0, prompt = promptUnits): number {
  let units = worked(task) / (usual + own);
  for (let attempt = 0; attempt < 3 && units > prompt; attempt++)
    units = Math.min(units, worked(task) / (unit() + own));
  return units;
}
