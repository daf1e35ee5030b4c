import { spawnSync } from 'node:child_process';

/** True if a process still runs. A process that has ended, but that its parent has not collected, does not run. */
export function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  const state = stdout.trim();
  return state !== '' && !state.startsWith('Z');
}
