import { existsSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pages, root, textOf } from './pages.js';

const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }; // our own file

test('README.md has at most 10,000 characters', () => {
  expect(textOf('README.md').length).toBeLessThanOrEqual(10_000);
});

describe.each(pages)('%s', (page) => {
  const text = textOf(page);

  test('Every link of a page leads to something', () => {
    expect(linksIn(text).filter((link) => !isThere(page, link))).toEqual([]);
  });

  test('A page names only commands that exist', () => {
    const named = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  test('A page names only files that exist', () => {
    const paths = [...text.matchAll(/`((?:src|nodes|test|test-support|bench|demo|credentials|examples)\/[\w./-]+)`/g)];
    expect(paths.map(([, path]) => path!).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('A page has nothing left to fill in', () => {
    expect(text).not.toMatch(/@@|TODO|TBD/);
  });
});

/**
 * The library's README links to this address: its pages are not in the repository's folder, to which npm resolves
 * relative links.
 */
const published = 'https://unpkg.com/mcp-verbatim/';

describe.each(['.', 'packages/mcp-verbatim'])('the package of %s, without a repository beside it', (folder) => {
  const files = packedFiles(folder);
  const readable = files.filter((file) => file.endsWith('.md'));

  test('A package brings the pages and pictures that its pages link to', () => {
    expect(readable).toContain('README.md');
    const missing = readable.flatMap((file) =>
      linksIn(textOf(join(folder, file)))
        .map((link) => link.replace(/#.*/, ''))
        .filter((link) => link !== '' && (!/^https?:/.test(link) || link.startsWith(published)))
        .map((link) => (link.startsWith(published) ? link.slice(published.length) : join(dirname(file), link)))
        .map(normalize)
        // The node package leaves docs/api.md out: it describes functions for programs.
        .filter((link) => folder !== '.' || link !== 'docs/api.md')
        .filter((target) => !files.some((each) => each === target || each.startsWith(`${target}/`)))
        .map((target) => `${file} -> ${target}`),
    );
    expect(missing).toEqual([]);
  });
});

function linksIn(text: string): string[] {
  const prose = text.replace(/^```.*?^```$/gms, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].map(([, link, image]) => (link ?? image)!);
}

function isThere(page: string, link: string): boolean {
  if (link.startsWith(published)) return isThere('README.md', link.slice(published.length));
  if (/^https?:/.test(link)) return true;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || anchorsIn(textOf(target)).includes(anchor);
}

/** Anchors as GitHub and npm derive them from headings. */
function anchorsIn(text: string): string[] {
  const headings = text.replace(/^```.*?^```$/gms, '').matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function packedFiles(folder: string): string[] {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: join(root, folder),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [packed] = JSON.parse(output) as [{ files: { path: string }[] }]; // npm's own report
  return packed.files.map(({ path }) => path);
}
