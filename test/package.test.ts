import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const { scripts: commands } = manifestOf('.');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'packages/mcp-verbatim/README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];

describe('the packages', () => {
  test.each([
    ['.', 1_500_000],
    ['packages/mcp-verbatim', 3_700_000],
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

describe.each(pages)('%s', (page) => {
  const text = readFileSync(join(root, page), 'utf8');

  test('links to nothing that is not there', () => {
    const targets = [...text.matchAll(/\]\(([^)#\s]+)|(?:src|srcset)="([^"]+)"/g)].map(
      ([, link, image]) => (link ?? image)!,
    );
    const missing = targets.filter(
      (target) => !/^https?:/.test(target) && !existsSync(join(root, dirname(page), target)),
    );
    expect(missing).toEqual([]);
  });

  test('names only commands that exist', () => {
    const scripts = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!);
    expect(scripts.filter((name) => !(name in commands))).toEqual([]);
  });

  test('names only files that exist', () => {
    const paths = [...text.matchAll(/`((?:src|nodes|test|test-support|bench|demo|credentials)\/[\w./-]+)`/g)];
    expect(paths.map(([, path]) => path!).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('has nothing left to fill in', () => {
    expect(text).not.toMatch(/@@|TODO|TBD/);
  });
});

interface Manifest {
  version: string;
  scripts: Record<string, string>;
  peerDependencies: Record<string, string>;
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest; // package.json files of our own
}
