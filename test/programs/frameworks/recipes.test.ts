import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findPersons, received, sent } from '../../langchain/tools.js';
import { call, oddSchema, programFor } from './program.js';

const page = readFileSync(new URL('../../../docs/frameworks.md', import.meta.url), 'utf8');

test('Each recipe of docs/frameworks.md has at most eight lines with its imports', () => {
  const [, section = ''] = /^### Recipes\n(.*?)^## /ms.exec(page) ?? [];
  const recipes = [...section.matchAll(/^```ts\n(.*?)^```/gms)].map(([, recipe = '']) => recipe);
  expect(recipes).toHaveLength(5);
  for (const recipe of recipes) expect(recipe.split('\n').filter(Boolean).length, recipe).toBeLessThanOrEqual(8);
});

describe.each([
  ['TanStack AI', 'tanstack', '@tanstack/ai'],
  ['Google ADK', 'adk', '@google/adk'],
  ['Strands', 'strands', '@strands-agents/sdk'],
  ['VoltAgent', 'voltagent', '@voltagent/core'],
])('the recipe of docs/frameworks.md for %s (packages: npm run fetch:packages)', (title, name, versioned) => {
  const program = programFor(name, 'bench/peers');
  const { runTest } = program;

  test('The page shows a recipe as it is run, with the version of its package', () => {
    const source = readFileSync(new URL(`../../frameworks/programs/${name}.mts`, import.meta.url), 'utf8');
    const peers = readFileSync(new URL('../../../bench/peers/package.json', import.meta.url), 'utf8');
    const { dependencies } = JSON.parse(peers) as { dependencies: Record<string, string> };
    const [whole = '', recipe = ''] = new RegExp(`^${title} \\(.*?\`\`\`ts\n(.*?)\`\`\``, 'ms').exec(page) ?? [];
    for (const part of recipe.split('\n\n')) expect(source).toContain(part);
    expect(whole).toContain(`\`${versioned}\` ${/^\d+\.\d+/.exec(dependencies[versioned]!)![0]}`);
  });

  runTest('schemas to the character, a repaired call, a refusal, an error of the tool', async () => {
    const { schemas } = await program.runEveryCall();
    const asWritten = JSON.stringify(findPersons.inputSchema);
    // Its adapter leaves out formats that OpenAI's strict mode does not know.
    expect(schemas['find_relatives']).toBe(name === 'tanstack' ? asWritten.replace('"format":"uint",', '') : asWritten);
    expect(schemas['odd']).toBe(JSON.stringify(oddSchema));
  });

  runTest('an abort reaches the server', () => program.runAborted());

  // Strands asks by hooks of its own.
  if (name !== 'strands')
    runTest('a call that a person has to approve is not made before', async () => {
      program.endpoint.replies = [call('find_relatives', sent)];
      await program.run('approval');
      expect(program.server.calls).toEqual([]);
      expect(program.endpoint.bodies).toHaveLength(1);
    });

  if (name !== 'voltagent') return;
  runTest('a Standard Schema of the library is taken, and arguments are repaired by it', async () => {
    program.endpoint.replies = [call('find_relatives', sent)];
    expect(await program.run('standard')).toMatchObject({ text: 'found' });
    expect(program.endpoint.bodies[1]).toContain(JSON.stringify(JSON.stringify(received)).slice(1, -1));
  });
});
