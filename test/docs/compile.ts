import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { root } from './pages.js';

/** Compiles a folder with a tsconfig.json; @returns what the compiler has to say, nothing where all is well. */
export async function compile(folder: string): Promise<string> {
  const compiler = join(root, 'node_modules/typescript-7/bin/tsc');
  // Several threads check what they share once each, which costs a half more of the processor's time.
  const run = promisify(execFile)(process.execPath, [compiler, '-p', folder, '--singleThreaded']);
  return await run.then(
    ({ stdout }) => stdout,
    (error: unknown) => `${String(error)}\n${(error as { stdout: string }).stdout}`, // an error of execFile
  );
}

/** Where the imports of a folder's programs find their types: where bundlers find the same, they need no compilation. */
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
