import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from '../../../../../test-support/servers/process-state.js';
import { stdioServer } from '../../../../../test-support/servers/stdio.js';

/** A stdio server that logs its start, calls and cancellations. */
export interface Diary extends Disposable {
  readonly command: string;
  readonly args: string[];
  /** The lines of the log so far: `began <process id>`, `called <tool>`, `cancelled <request>`. */
  entries(): string[];
  started(): number[];
  /** The started processes that still run. */
  running(): number[];
}

export function keepDiary(): Diary {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-verbatim-diary-'));
  const file = join(folder, 'diary.txt');
  const { command, args = [] } = stdioServer('keeps a diary', file);
  const entries = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []);
  const started = () => entries().flatMap((entry) => (entry.startsWith('began ') ? [Number(entry.slice(6))] : []));
  return {
    command,
    args: [...args],
    entries,
    started,
    running: () => started().filter(isRunning),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
