import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { root } from './pages.js';

/**
 * Compiles a folder with a tsconfig.json.
 *
 * @returns the compiler's errors; '' if there are none
 */
export async function compile(folder: string): Promise<string> {
  const compiler = join(root, 'node_modules/typescript-7/bin/tsc');
  // More threads check shared files once each, which takes half as much processor time again.
  const run = promisify(execFile)(process.execPath, [compiler, '-p', folder, '--singleThreaded']);
  return await run.then(
    ({ stdout }) => stdout,
    (error: unknown) => `${String(error)}\n${(error as { stdout: string }).stdout}`, // an error of execFile
  );
}

/**
 * The files to which the imports of a folder's programs resolve. If bundlers resolve them to the same files, no second
 * compilation is needed.
 */
export function typesFound(folder: string, resolution: 'NodeNext' | 'Bundler'): [name: string, file: string | undefined][] {
  const options = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind[resolution] };
  const files = readdirSync(folder).filter((name) => name.endsWith('.mts'));
  return files.flatMap((file) => {
    const path = join(folder, file);
    return ts.preProcessFile(readFileSync(path, 'utf8')).importedFiles.map(({ fileName }): [string, string | undefined] => {
      const found = ts.resolveModuleName(fileName, path, options, ts.sys, undefined, undefined, ts.ModuleKind.ESNext);
      return [fileName, found.resolvedModule?.resolvedFileName];
    });
  });
}
