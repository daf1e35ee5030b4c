import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { transform } from 'esbuild';

interface RunOptions {
  /** Where it runs. */
  readonly cwd: string;
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Default: the Node that runs the tests. */
  readonly node?: string;
}

/**
 * Runs a module in TypeScript beside the packages of a folder, as JavaScript: with the loader of tsx, which goes through
 * every file of the packages, LangChain takes three times as long to load.
 *
 * @param path where it is written to, a file that ends in `.mjs`
 */
export async function runTypescript(
  path: string,
  source: string,
  { cwd, args = [], env = process.env, node = process.execPath }: RunOptions,
): Promise<{ stdout: string; stderr: string }> {
  const { code } = await transform(source, { loader: 'ts', target: 'node20' });
  writeFileSync(path, code);
  return await promisify(execFile)(node, [path, ...args], { cwd, env });
}
