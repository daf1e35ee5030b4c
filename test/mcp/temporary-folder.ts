import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A new folder, which goes after all tests, or with `onTestFinished` after the one that runs. */
export function temporaryFolder(end: (remove: () => void) => void = afterAll): string {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-verbatim-'));
  end(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
