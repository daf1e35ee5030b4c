import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { hostRequires } from '../../nodes/host/modules.js';

const wanted = '@langchain/core/package.json';
const store = 'n8n/node_modules/.pnpm';

interface Layout {
  /** The started program, and the packages around it. */
  packages: string[];
  /** Links to packages, as pnpm creates them. */
  links?: Record<string, string>;
  program?: string;
  agents: string;
}

/** Layouts of n8n, and where its AI nodes find LangChain in each. */
const layouts: Record<string, Layout> = {
  'by npm, nested beside another copy at the top': {
    packages: [
      'node_modules/n8n',
      'node_modules/@langchain/core',
      'node_modules/@n8n/n8n-nodes-langchain',
      'node_modules/@n8n/n8n-nodes-langchain/node_modules/@langchain/core',
    ],
    agents: 'node_modules/@n8n/n8n-nodes-langchain/node_modules/@langchain/core',
  },
  'by npm, globally: the program is a link on the PATH': {
    packages: [
      'lib/node_modules/n8n',
      'lib/node_modules/n8n/node_modules/@n8n/n8n-nodes-langchain',
      'lib/node_modules/n8n/node_modules/@n8n/n8n-nodes-langchain/node_modules/@langchain/core',
    ],
    links: { 'bin/n8n': 'lib/node_modules/n8n/bin/n8n' },
    program: 'bin/n8n',
    agents: 'lib/node_modules/n8n/node_modules/@n8n/n8n-nodes-langchain/node_modules/@langchain/core',
  },
  "by pnpm: each package with its own beside it, in the store's folders": {
    packages: [
      `${store}/n8n@2.41.1/node_modules/n8n`,
      `${store}/@n8n+n8n-nodes-langchain@2.41.1/node_modules/@n8n/n8n-nodes-langchain`,
      `${store}/@langchain+core@1.2.2/node_modules/@langchain/core`,
      `${store}/@langchain+core@1.3.0/node_modules/@langchain/core`,
    ],
    links: {
      'n8n/node_modules/n8n': `${store}/n8n@2.41.1/node_modules/n8n`,
      [`${store}/n8n@2.41.1/node_modules/@n8n/n8n-nodes-langchain`]: `${store}/@n8n+n8n-nodes-langchain@2.41.1/node_modules/@n8n/n8n-nodes-langchain`,
      [`${store}/n8n@2.41.1/node_modules/@langchain/core`]: `${store}/@langchain+core@1.3.0/node_modules/@langchain/core`,
      [`${store}/@n8n+n8n-nodes-langchain@2.41.1/node_modules/@langchain/core`]: `${store}/@langchain+core@1.2.2/node_modules/@langchain/core`,
    },
    program: 'n8n/node_modules/n8n/bin/n8n',
    agents: `${store}/@langchain+core@1.2.2/node_modules/@langchain/core`,
  },
};

describe('packages of n8n', () => {
  test.each(Object.entries(layouts))('are the copies of its AI nodes if it is installed %s', (_how, layout) => {
    const root = install(layout);
    const program = realpathSync(join(root, layout.program ?? 'node_modules/n8n/bin/n8n'));
    const [first] = hostRequires(program);
    expect(relative(root, dirname(first!.resolve(wanted)))).toBe(layout.agents);
  });

  test('are looked for from the program and from the node if there are no AI nodes', () => {
    const root = install({ packages: ['node_modules/n8n'], agents: '' });
    expect(hostRequires(join(root, 'node_modules/n8n/bin/n8n'))).toHaveLength(2);
  });
});

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-verbatim-layouts-')));
let installed = 0;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function install({ packages, links = {} }: Layout): string {
  const root = join(folder, String(++installed));
  for (const name of packages) {
    write(join(root, name, 'package.json'), '{}');
    if (name.endsWith('/n8n')) write(join(root, name, 'bin/n8n'), '');
  }
  for (const [link, target] of Object.entries(links)) {
    mkdirSync(dirname(join(root, link)), { recursive: true });
    symlinkSync(join(root, target), join(root, link));
  }
  return root;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
