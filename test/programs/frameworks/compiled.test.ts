import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { expect, test } from 'vitest';
import { fetchedPackages } from '../../../test-support/packages.js';
import { compile, typesFound } from '../../docs/compile.js';
import { newest, node20, root } from './program.js';

const examples = readdirSync(join(root, 'bench/peers/examples')).map((name) => `bench/peers/examples/${name}`);
const programs = (names: string) => names.split(' ').map((name) => `test/frameworks/programs/${name}.mts`);
const inFolders: [folder: string, sources: string[]][] = [
  ['bench/peers', [...examples, ...programs('adk strands tanstack voltagent')]],
  [newest, programs('ai-sdk deepagents mastra openai-agents')],
  [node20, [...examples, ...programs('ai-sdk mastra-24 openai-agents')]],
];

// One project for each folder: to read the types of its packages takes more time than to check the programs.
for (const [folder, sources] of inFolders)
  test.skipIf(fetchedPackages(folder) === undefined)(
    `The programs beside ${folder} compile in strict mode under NodeNext, and find the same types under bundler resolution`,
    async () => {
      const project = join(root, folder, 'node_modules', '.compiled');
      rmSync(project, { recursive: true, force: true });
      mkdirSync(project);
      for (const [index, source] of sources.entries())
        writeFileSync(
          join(project, `${index}-${basename(source, extname(source))}.mts`),
          readFileSync(join(root, source)),
        );
      const settings = readFileSync(join(root, folder, 'tsconfig.json'), 'utf8');
      const moved = settings.replaceAll('"../', '"../../../').replace('examples/*.ts', '*.mts');
      writeFileSync(join(project, 'tsconfig.json'), moved);
      expect(await compile(project)).toBe('');
      expect(typesFound(project, 'Bundler')).toEqual(typesFound(project, 'NodeNext'));
    },
  );

test('Every program of a framework is compiled', () => {
  const compiled = inFolders.flatMap(([, sources]) => sources.map((source) => basename(source)));
  expect(compiled).toEqual(expect.arrayContaining(readdirSync(join(root, 'test/frameworks/programs'))));
});
