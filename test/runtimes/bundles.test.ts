import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { fetchedPackages } from '../../test-support/packages.js';

const packages = fetchedPackages('test/runtimes/packages');

describe.skipIf(packages === undefined)('The part of the library that a program loads at once', () => {
  test.each<[used: string, entry: string, platform: Platform, kB: number, gzipped: number]>([
    ['evaluate', 'mcp-verbatim', 'node', 150, 45],
    ['evaluate', 'mcp-verbatim', 'browser', 150, 45],
    ['mcpTools', 'mcp-verbatim/langchain', 'node', 450, 160],
    ['mcpTools', 'mcp-verbatim/langchain', 'browser', 450, 160],
  ])(
    'The program for %s of %s, for %s, loads at most %i kB minified, %i gzipped',
    async (used, entry, platform, kB, gzipped) => {
      const size = await sizeOf(used, entry, platform);
      expect(size.bytes).toBeLessThanOrEqual(kB * 1000);
      expect(size.gzipped).toBeLessThanOrEqual(gzipped * 1000);
    },
  );

  test.each<[entry: string, platform: Platform]>([
    ['mcp-verbatim/ai-sdk', 'node'],
    ['mcp-verbatim/ai-sdk', 'browser'],
    ['mcp-verbatim/mastra', 'node'],
  ])("The program for mcpTools of %s, for %s, loads at most as much as LangChain's", async (entry, platform) => {
    const [own, langchain] = await Promise.all([
      sizeOf('mcpTools', entry, platform),
      sizeOf('mcpTools', 'mcp-verbatim/langchain', platform),
    ]);
    expect(own.bytes).toBeLessThanOrEqual(langchain.bytes);
    expect(own.gzipped).toBeLessThanOrEqual(langchain.gzipped);
  });
});

type Platform = 'node' | 'browser';

async function sizeOf(used: string, entry: string, platform: Platform) {
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
  const files = outputFiles.filter(({ path }) => [...loaded].some((name) => path.endsWith(name.replace(/^.*\//, ''))));
  expect(files.length).toBe(loaded.size);
  return {
    bytes: sum(files.map(({ contents }) => contents.length)),
    gzipped: sum(files.map(({ contents }) => gzipSync(contents).length)),
  };
}

/** The entry with all its imports, except those by `import()`. */
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
