import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Makes `bench/<folder>` usable: its packages as its lockfile says, installed once, and this package beside them as it
 * would be published, so that both resolve the same copies of LangChain.
 *
 * @returns the folder's path
 * @throws where the package has not been built
 */
export function preparePackages(folder: 'langchain' | 'peers'): string {
  const path = join(root, 'bench', folder);
  installLocked(path);
  installThisPackage(join(path, 'node_modules', 'n8n-nodes-mcp-verbatim'));
  return path;
}

/** `npm ci` takes half a minute, so it runs only when the lockfile is another one than at the last time. */
function installLocked(path: string): void {
  const stamp = join(path, 'node_modules', '.installed-lockfile');
  const hash = createHash('sha256')
    .update(readFileSync(join(path, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: path,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  writeFileSync(stamp, hash);
}

function installThisPackage(target: string): void {
  if (!['langchain.cjs', 'langchain.mjs', 'index.cjs'].every((file) => existsSync(join(root, 'dist', file))))
    throw new Error('The package is not built; run npm run build first.');
  rmSync(target, { recursive: true, force: true });
  cpSync(join(root, 'package.json'), join(target, 'package.json'));
  cpSync(join(root, 'dist'), join(target, 'dist'), { recursive: true });
}
