import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { fetchedPackages } from '../../../test-support/packages.js';
import { compile, typesFound } from '../../docs/compile.js';
import { newest, node20, root } from './program.js';

const programs = 'test/frameworks/programs';
const examples = 'bench/peers/examples';
const filesIn = (folder: string) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
const inFolders: [folder: string, sources: string[]][] = [
  ['bench/peers', [...filesIn(examples), ...['adk', 'strands', 'tanstack', 'voltagent'].map(programIn)]],
  [newest, ['ai-sdk', 'deepagents', 'mastra', 'openai-agents'].map(programIn)],
  [node20, [...filesIn(examples), ...['ai-sdk', 'mastra-24', 'openai-agents'].map(programIn)]],
];

// One project for each folder: to read the types of its packages takes more time than to check the programs.
for (const [folder, sources] of inFolders) {
  const at = fetchedPackages(folder);
  test.skipIf(at === undefined)(
    `The programs that are run beside ${folder} compile in strict mode under NodeNext, and find the same types under bundler resolution`,
    async () => {
      const project = join(at!, 'node_modules', '.compiled');
      rmSync(project, { recursive: true, force: true });
      mkdirSync(project);
      for (const source of sources)
        writeFileSync(
          join(project, `${sources.indexOf(source)}-${basename(source).replace(/\.m?ts$/, '.mts')}`),
          readFileSync(join(root, source)),
        );
      const settings = readFileSync(join(root, folder, 'tsconfig.json'), 'utf8');
      const moved = settings.replaceAll('"../', '"../../../').replace('examples/*.ts', '*.mts');
      writeFileSync(join(project, 'tsconfig.json'), moved);
      expect(await compile(project)).toBe('');
      expect(typesFound(project, 'Bundler')).toEqual(typesFound(project, 'NodeNext'));
    },
  );
}

test('Every program of a framework is compiled', () => {
  const compiled = inFolders.flatMap(([, sources]) => sources);
  expect(compiled).toEqual(expect.arrayContaining(filesIn(programs)));
});

function programIn(name: string): string {
  return `${programs}/${name}.mts`;
}
