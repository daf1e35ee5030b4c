import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { fetchedPackages } from '../../test-support/packages.js';

const packages = fetchedPackages('test/runtimes/packages');

describe.skipIf(packages === undefined)('What a program loads at once of the library', () => {
  test.each<[used: string, entry: string, platform: 'node' | 'browser', kB: number, gzipped: number]>([
    ['evaluate', 'mcp-verbatim', 'node', 150, 45],
    ['evaluate', 'mcp-verbatim', 'browser', 150, 45],
    ['mcpTools', 'mcp-verbatim/langchain', 'node', 450, 160],
    ['mcpTools', 'mcp-verbatim/langchain', 'browser', 450, 160],
  ])('for %s of %s, for %s, is at most %i kB minified, %i gzipped', async (used, entry, platform, kB, gzipped) => {
    const { metafile, outputFiles } = await build({
      stdin: { contents: `import { ${used} } from '${entry}'; console.log(${used});`, resolveDir: packages! },
      bundle: true,
      splitting: true,
      minify: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform,
      outdir: '/bundle',
      external: ['@langchain/*', 'zod'],
      logLevel: 'error',
    });
    const loaded = loadedAtOnce(metafile);
    const files = outputFiles.filter(({ path }) =>
      [...loaded].some((name) => path.endsWith(name.replace(/^.*\//, ''))),
    );
    expect(files.length).toBe(loaded.size);
    expect(sum(files.map(({ contents }) => contents.length))).toBeLessThanOrEqual(kB * 1000);
    expect(sum(files.map(({ contents }) => gzipSync(contents).length))).toBeLessThanOrEqual(gzipped * 1000);
  });
});

/** The entry, and what it imports otherwise than by `import()`. */
function loadedAtOnce({ outputs }: Metafile): Set<string> {
  const loaded = new Set<string>();
  const visit = (name: string): void => {
    if (loaded.has(name)) return;
    loaded.add(name);
    for (const { path, kind } of outputs[name]?.imports ?? [])
      if (kind === 'import-statement' && outputs[path]) visit(path);
  };
  visit(Object.keys(outputs).find((name) => outputs[name]?.entryPoint !== undefined)!);
  return loaded;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}
