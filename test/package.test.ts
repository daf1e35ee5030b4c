import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

describe('the packages', () => {
  test.each([
    ['.', 1_900_000],
    ['packages/mcp-verbatim', 4_000_000],
  ])('%s brings no other packages and unpacks to less than %i bytes', (folder, bytes) => {
    const [packed] = JSON.parse(
      execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
        cwd: join(root, folder),
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    ) as [{ unpackedSize: number }];
    expect(manifestOf(folder)).not.toHaveProperty('dependencies');
    expect(packed.unpackedSize).toBeLessThan(bytes);
  });
});

test('both packages have one version, and n8n-workflow is the only peer of the nodes', () => {
  const [nodes, library] = [manifestOf('.'), manifestOf('packages/mcp-verbatim')];
  expect(library.version).toBe(nodes.version);
  expect(nodes.peerDependencies).toEqual({ 'n8n-workflow': '*' });
  expect(library.peerDependencies).toEqual({ '@langchain/core': '*' });
});

interface Manifest {
  version: string;
  peerDependencies: Record<string, string>;
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest; // package.json files of our own
}
