import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ICredentialType, INodeType } from 'n8n-workflow';
import { afterAll } from 'vitest';

// No n8n is around that could tell how many users it has.
process.env['MCP_VERBATIM_STDIO'] = 'on';

const repository = join(import.meta.dirname, '..', '..');

interface PackedPackage {
  /** The folder that n8n would install. */
  readonly folder: string;
  node(name: 'McpVerbatim' | 'McpVerbatimTool'): INodeType;
  credential(name: 'McpVerbatimHttpApi' | 'McpVerbatimOAuth2Api' | 'McpVerbatimStdioApi'): ICredentialType;
}

/**
 * The package as it is published: packed, unpacked elsewhere, with the development tree's packages around it in the
 * place of n8n's own. It is there until the tests around the call have ended.
 */
export function unpackedPackage(): PackedPackage {
  if (!existsSync(join(repository, 'dist', 'nodes'))) throw new Error('Build the package first: npm run build');
  const folder = mkdtempSync(join(tmpdir(), 'mcp-verbatim-packed-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  const tarball = execFileSync('npm', pack, { cwd: repository, encoding: 'utf8' }).trim().split('\n').at(-1) ?? '';
  execFileSync('tar', ['-xzf', join(folder, tarball), '-C', folder]);
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  const dist = join(folder, 'package', 'dist');
  const require = createRequire(join(dist, 'nodes'));
  // As n8n does; require is untyped.
  const load = (file: string, name: string) =>
    new (require(join(dist, file)) as Record<string, new () => unknown>)[name]!();
  return {
    folder: join(folder, 'package'),
    node: (name) => load(`nodes/${name}/${name}.node.js`, name) as INodeType,
    credential: (name) => load(`credentials/${name}.credentials.js`, name) as ICredentialType,
  };
}
