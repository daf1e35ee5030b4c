import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hostRequires } from '../../nodes/host/modules.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';

const wanted = '@langchain/core/package.json';

/** The real n8n of the other tests is installed by npm in a folder, and by pnpm. */
describe('packages of n8n', () => {
  test("n8n's packages are those of its AI nodes if n8n was installed globally and its program is a link on the PATH", () => {
    const modules = 'lib/node_modules/n8n/node_modules/@n8n/n8n-nodes-langchain';
    const root = install('lib/node_modules/n8n', modules, `${modules}/node_modules/@langchain/core`);
    mkdirSync(join(root, 'bin'));
    symlinkSync(join(root, 'lib/node_modules/n8n/bin/n8n'), join(root, 'bin/n8n'));
    const [first] = hostRequires(realpathSync(join(root, 'bin/n8n')));
    expect(relative(root, dirname(first!.resolve(wanted)))).toBe(`${modules}/node_modules/@langchain/core`);
  });

  test("Without AI nodes, n8n's packages are looked for from the program and from the node", () => {
    const root = install('node_modules/n8n');
    const from = hostRequires(join(root, 'node_modules/n8n/bin/n8n')).map(({ resolve }) => resolve.paths('a')?.[0]);
    expect(from.map((path) => path?.startsWith(root))).toEqual([true, false]);
  });
});

const folder = realpathSync(temporaryFolder());
let installed = 0;

function install(...packages: string[]): string {
  const root = join(folder, String(++installed));
  for (const name of packages) {
    mkdirSync(join(root, name, 'bin'), { recursive: true });
    writeFileSync(join(root, name, 'package.json'), '{}');
    writeFileSync(join(root, name, 'bin/n8n'), '');
  }
  return root;
}
