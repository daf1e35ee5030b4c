import { execFileSync, type StdioOptions } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../mcp/temporary-folder.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the packed package, installed somewhere else', () => {
  const folder = temporaryFolder();

  beforeAll(() => {
    // The tests' own command has built dist; packing must not build again while others read it.
    const [{ filename }] = JSON.parse(
      npm(join(root, 'packages/mcp-verbatim'), 'pack', '--ignore-scripts', '--json', '--pack-destination', folder),
    ) as [{ filename: string }];
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    npm(folder, 'install', '--offline', '--no-audit', '--no-fund', `./${filename}`);
  });

  test('brings no other package', () => {
    expect(npm(folder, 'ls', '--all', '--parseable').trim().split('\n').slice(1)).toEqual([
      join(realpathSync(folder), 'node_modules', 'mcp-verbatim'),
    ]);
  });

  test('lists a published server by the line that the README gives', () => {
    const [line] = readFileSync(join(root, 'README.md'), 'utf8').match(/npx mcp-verbatim list [^`\n]+/) ?? [];
    const [command, ...args] = line!.split(' ') as [string, ...string[]];
    // What the inner npx finds installed it does not fetch: the registry's day is not this test's.
    link(args.at(-1)!);
    const env = { ...process.env, npm_config_registry: 'http://127.0.0.1:9' };
    const stdio: StdioOptions = ['ignore', 'pipe', 'ignore'];
    const output = execFileSync(command, args, { cwd: folder, env, encoding: 'utf8', stdio });
    expect(output).toContain('get-sum\ta: number, b: number');
  });

  /** Puts one of this project's own packages there, and its command. */
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
