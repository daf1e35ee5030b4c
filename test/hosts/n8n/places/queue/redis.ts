import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../../../test-support/free-port.js';
import { startGuarded } from '../../../../../test-support/guarded.js';

/** True if Debian's redis-server, or another one, is on the path. */
export function hasRedis(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export interface Redis extends AsyncDisposable {
  readonly port: number;
}

export async function startRedis(): Promise<Redis> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'mcp-verbatim-redis-'));
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  const child = startGuarded('redis-server', options);
  child.stderr.pipe(process.stderr);
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => reject(new Error(`redis-server ended with ${code}.`)));
    child.stdout.on('data', (text: Buffer) => {
      if (text.includes('Ready to accept connections')) resolve();
    });
  });
  return {
    port,
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
