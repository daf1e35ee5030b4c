import { join, parse } from 'node:path';
import { build } from 'esbuild';

/**
 * Bundles a TypeScript program into one JavaScript file: with tsx, each start takes seconds to translate all imports.
 *
 * @returns its path in that folder
 */
export async function bundled(program: string, folder: string): Promise<string> {
  const outfile = join(folder, `${parse(program).name}.mjs`);
  await build({ entryPoints: [program], outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20' });
  return outfile;
}
