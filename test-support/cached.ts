import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

export class HostError extends Error {
  constructor(
    readonly code: 'UNSUPPORTED_PLATFORM' | 'INSTALL_FAILED' | 'START_FAILED',
    message: string,
  ) {
    super(message);
    this.name = 'HostError';
  }
}

/** Everything this project keeps outside the checkout. */
export const cacheFolder = join(homedir(), '.cache', 'mcp-verbatim');

/**
 * A folder of the cache, which the first caller fills. Its name appears once everything is in place, so an interrupted
 * installation is never used.
 *
 * @returns its path
 */
export async function cached(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(cacheFolder, name);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.unfinished-${process.pid}`;
  const takeAway = () => rmSync(unfinished, { recursive: true, force: true });
  process.once('exit', takeAway);
  try {
    await mkdir(unfinished, { recursive: true });
    await fill(unfinished);
    await rename(unfinished, folder).catch((error: unknown) => {
      // Another process was faster, with the same result.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    takeAway();
    process.removeListener('exit', takeAway);
  }
  return folder;
}

/** @throws HostError if there is no pinned Node for this platform */
export function assertPlatform(): void {
  if (process.platform === 'linux' && process.arch === 'x64') return;
  throw new HostError(
    'UNSUPPORTED_PLATFORM',
    `The pinned n8n is prepared for linux-x64; this machine is ${process.platform}-${process.arch}. ` +
      'Run it in a Linux x64 container, or use "npm run demo:quick", which needs no n8n.',
  );
}

/**
 * Runs npm for an installation, to its end.
 *
 * @throws HostError with the end of what it printed
 */
export async function npm(cwd: string, args: string[], env: Record<string, string> = {}): Promise<void> {
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
