import { execFileSync, type StdioOptions } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../mcp/temporary-folder.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

const folders = ['.', './packages/mcp-verbatim'];
const folder = temporaryFolder();
let packed: { filename: string; unpackedSize: number }[];

beforeAll(() => {
  // `npm test` has built dist. Packing must not build again while other tests read it.
  packed = JSON.parse(
    npm(root, 'pack', ...folders, '--ignore-scripts', '--json', '--pack-destination', folder),
  ) as typeof packed;
});

test.each([
  ['.', 2_600_000],
  ['./packages/mcp-verbatim', 4_000_000],
])('The package %s brings no other packages and unpacks to less than %i bytes', (path, bytes) => {
  expect(manifestOf(path)).not.toHaveProperty('dependencies');
  expect(packed[folders.indexOf(path)]?.unpackedSize).toBeLessThan(bytes);
});

test('Both packages have the same version, and n8n-workflow is the only peer of the nodes', () => {
  const [nodes, library] = folders.map(manifestOf) as [Manifest, Manifest];
  expect(library.version).toBe(nodes.version);
  expect(nodes.peerDependencies).toEqual({ 'n8n-workflow': '*' });
  expect(library.peerDependencies).toEqual({ '@langchain/core': '*', '@openai/agents': '*' });
});

describe('the packed package, installed somewhere else', () => {
  beforeAll(() => {
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    npm(folder, 'install', '--offline', '--no-audit', '--no-fund', `./${packed[1]!.filename}`);
  });

  test('The packed package brings no other package', () => {
    const installed = readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8');
    const { packages } = JSON.parse(installed) as { packages: object }; // npm's own record of its installation
    expect(Object.keys(packages)).toEqual(['node_modules/mcp-verbatim']);
  });

  test("The packed package lists a published server with the README's command", () => {
    const [line] = readFileSync(join(root, 'README.md'), 'utf8').match(/npx mcp-verbatim list [^`\n]+/) ?? [];
    const [command, ...args] = line!.split(' ') as [string, ...string[]];
    // The inner npx runs an installed package, so the test does not depend on the registry.
    link(args.at(-1)!);
    const env = { ...process.env, npm_config_registry: 'http://127.0.0.1:9' };
    const stdio: StdioOptions = ['ignore', 'pipe', 'ignore'];
    const output = execFileSync(command, args, { cwd: folder, env, encoding: 'utf8', stdio });
    expect(output).toContain('get-sum\ta: number, b: number');
  });

  /** Puts one of this project's packages there, with its command. */
  function link(name: string): void {
    const [from, to] = [join(root, 'node_modules', name), join(folder, 'node_modules', name)];
    const { bin } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as { bin: Record<string, string> };
    const commands = Object.entries(bin).map(
      ([command, file]) => [join(to, file), join(folder, 'node_modules', '.bin', command)] as const,
    );
    mkdirSync(dirname(to), { recursive: true });
    for (const [target, path] of [[from, to] as const, ...commands]) symlinkSync(target, path);
  }
});

function npm(cwd: string, ...args: string[]): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

interface Manifest {
  version: string;
  peerDependencies: Record<string, string>;
}

function manifestOf(path: string): Manifest {
  return JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as Manifest; // package.json files of our own
}
