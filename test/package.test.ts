import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
  dependencies?: object;
};
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];

describe('the package', () => {
  test('brings no other packages and unpacks to less than 1.5 MB', () => {
    const [packed] = JSON.parse(
      execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
        cwd: root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    ) as [{ unpackedSize: number }];
    expect(manifest.dependencies).toBeUndefined();
    expect(packed.unpackedSize).toBeLessThan(1_500_000);
  });
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
    expect(scripts.filter((name) => !(name in manifest.scripts))).toEqual([]);
  });

  test('has nothing left to fill in', () => {
    expect(text).not.toMatch(/@@|TODO|TBD/);
  });
});
