import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';

/**
 * Starts a program in its own process group, which ends with this process at the latest, however this process ends. A
 * shell reads a pipe that only this process holds open, and ends the group when the pipe closes. A killed process runs
 * no handlers, and n8n ends neither by itself nor by SIGTERM once nobody reads its output. A test run's worker also
 * ends when the run is killed; by itself it would finish its tests.
 */
export function startGuarded(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): ChildProcessByStdio<null, Readable, Readable> {
  if (!endsWithItsParent) process.once('disconnect', () => process.exit(1));
  endsWithItsParent = true;
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  if (child.pid === undefined) return child;
  const script = 'read -r never; kill -s KILL -- "-$0"';
  const guard = spawn('sh', ['-c', script, String(child.pid)], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  guard.unref();
  // Later, a group of this number may be somebody else's.
  child.once('exit', () => guard.kill('SIGKILL'));
  return child;
}

let endsWithItsParent = false;
