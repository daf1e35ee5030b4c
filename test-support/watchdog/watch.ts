import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const checkMs = 1000;

/**
 * Ends test files that hang in a loop, which no timer in their own process can do. If a file's heartbeat (see beat.ts)
 * stays the same for this many seconds, its process is killed, and Vitest reports it.
 */
export default function watch(): () => void {
  const limit = Number(process.env['TEST_WATCHDOG_SECONDS'] ?? 180);
  const folder = mkdtempSync(join(tmpdir(), 'mcp-verbatim-watchdog-'));
  process.env['TEST_WATCHDOG'] = folder;
  const seen = new Map<string, { beat: number; checks: number }>();
  const timer = setInterval(() => {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      const beat = existsSync(path) ? statSync(path).mtimeMs : 0;
      const known = seen.get(name);
      const checks = known?.beat === beat ? known.checks + 1 : 0;
      seen.set(name, { beat, checks });
      if ((checks * checkMs) / 1000 < limit || beat === 0) continue;
      const file = readFileSync(path, 'utf8');
      rmSync(path, { force: true });
      if (!isOurs(Number(name))) continue;
      process.stderr.write(`\n${file} has hung for ${limit} seconds, and is ended.\n`);
      process.kill(Number(name), 'SIGKILL');
    }
  }, checkMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    rmSync(folder, { recursive: true, force: true });
  };
}

/** The number of a crashed process may belong to another one by now. */
function isOurs(pid: number): boolean {
  try {
    return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' })) === process.pid;
  } catch {
    return false;
  }
}
