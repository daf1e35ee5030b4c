import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { transform } from 'esbuild';

interface RunOptions {
  /** The working folder. */
  readonly cwd: string;
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Default: the Node that runs the tests. */
  readonly node?: string;
}

/**
 * Compiles a TypeScript module to JavaScript and runs it beside a folder's packages. tsx would read every file of the
 * packages, and load LangChain three times as slowly.
 *
 * @param path the `.mjs` file to write
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
