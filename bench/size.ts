import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Size {
  packages: number;
  /** On disk, in megabytes of 10^6 bytes. */
  megabytes: number;
}

/** A package with all its `dependencies`, as installed in `folder`; peer dependencies belong to the host. */
export function installedSize(name: string, folder: string): Size {
  const seen = new Map<string, number>();
  const visit = (dependency: string, from: string) => {
    const path = resolvePackage(dependency, from, folder);
    if (path === undefined || seen.has(path)) return;
    seen.set(path, ownBytes(path));
    const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>;
    };
    for (const next of Object.keys(manifest.dependencies ?? {})) visit(next, path);
  };
  visit(name, folder);
  return { packages: seen.size - 1, megabytes: [...seen.values()].reduce((sum, bytes) => sum + bytes, 0) / 1e6 };
}

function resolvePackage(name: string, from: string, top: string): string | undefined {
  for (let at = from; at.startsWith(top); at = join(at, '..')) {
    const path = join(at, 'node_modules', name);
    if (existsSync(join(path, 'package.json'))) return path;
  }
  return undefined;
}

/** Without the packages inside it, which are counted by themselves. */
function ownBytes(path: string): number {
  return readdirSync(path).reduce((sum, entry) => {
    if (entry === 'node_modules') return sum;
    const inner = join(path, entry);
    const about = lstatSync(inner);
    return sum + (about.isDirectory() ? ownBytes(inner) : about.size);
  }, 0);
}
