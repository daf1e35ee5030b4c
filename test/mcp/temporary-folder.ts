import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A new folder, deleted after all tests, or with `onTestFinished` after the running one. */
export function temporaryFolder(end: (remove: () => void) => void = afterAll): string {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-verbatim-'));
  end(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
