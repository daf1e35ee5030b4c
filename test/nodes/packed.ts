import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ICredentialType, INodeType } from 'n8n-workflow';
import { temporaryFolder } from '../mcp/temporary-folder.js';

// There is no n8n here that could tell its number of users.
process.env['MCP_VERBATIM_STDIO'] = 'on';

const repository = join(import.meta.dirname, '..', '..');

interface PackedPackage {
  /** The folder that n8n would install. */
  readonly folder: string;
  node(name: 'McpVerbatim' | 'McpVerbatimTool'): INodeType;
  credential(name: 'McpVerbatimHttpApi' | 'McpVerbatimOAuth2Api' | 'McpVerbatimStdioApi'): ICredentialType;
}

/** The package as it is built. */
export const built = packageIn(repository);

/** The package as it is published: packed, and unpacked elsewhere while the tests of the calling block run. */
export function unpackedPackage(): PackedPackage {
  const folder = temporaryFolder();
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  const tarball = execFileSync('npm', pack, { cwd: repository, encoding: 'utf8' }).trim().split('\n').at(-1) ?? '';
  execFileSync('tar', ['-xzf', join(folder, tarball), '-C', folder]);
  // Stands in for n8n's own packages.
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  return packageIn(join(folder, 'package'));
}

function packageIn(folder: string): PackedPackage {
  const dist = join(folder, 'dist');
  // n8n loads nodes like this; require is untyped.
  const load = (file: string, name: string) =>
    new (createRequire(join(dist, 'nodes'))(join(dist, file)) as Record<string, new () => unknown>)[name]!();
  return {
    folder,
    node: (name) => load(`nodes/${name}/${name}.node.js`, name) as INodeType,
    credential: (name) => load(`credentials/${name}.credentials.js`, name) as ICredentialType,
  };
}
