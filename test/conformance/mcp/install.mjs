import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Installs a package once into a cache folder under the home directory, without running any script of it.
 *
 * @param folder the name of the folder in the cache
 * @param spec name@version
 * @param file what is wanted of it, below node_modules
 * @returns the path of that file
 */
export function install(folder, spec, file) {
  const root = join(homedir(), '.cache', 'mcp-verbatim', folder);
  const path = join(root, 'node_modules', file);
  if (existsSync(path)) return path;
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, 'package.json'), '{"private":true}');
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', spec], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  return path;
}
