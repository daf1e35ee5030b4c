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

// Few, since what is held here counts in the heap that is measured.
const rows = Array.from({ length: 50_000 }, (_unused, count) => ({ name: `row number ${count}`, count }));
const text = () => Array.from({ length: 10 }, () => JSON.stringify(rows).length);
const unit = () => Math.min(...[1, 2, 3].map(() => worked(text)));
const usual = unit();

/** As many units count as prompt: about five seconds. What takes longer multiplies. */
export const promptUnits = 100;

/**
 * How many times as long a task works as `JSON.stringify` for 20 MB, which takes about 50 ms: a slow machine is slow at
 * both. A task above `prompt` units is measured again, because something else may have slowed the machine down.
 *
 * @param own milliseconds that are added to the unit, such as those of `JSON.stringify` for the task's own value
 */
export function unitsOf(task: () => unknown, own = 0, prompt = promptUnits): number {
  let units = worked(task) / (usual + own);
  for (let attempt = 0; attempt < 3 && units > prompt; attempt++)
    units = Math.min(units, worked(task) / (unit() + own));
  return units;
}
