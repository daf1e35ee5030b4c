import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, vi } from 'vitest';

// A heartbeat of this test file, for the watchdog outside its process (watch.ts).
const folder = process.env['TEST_WATCHDOG'];
if (folder !== undefined) {
  const path = join(folder, String(process.pid));
  const beat = () => {
    try {
      writeFileSync(path, expect.getState().testPath ?? '');
    } catch {
      // The run is over.
    }
  };
  beat();
  const timer = setInterval(beat, 2000).unref();
  afterAll(() => {
    clearInterval(timer);
    rmSync(path, { force: true });
  });
}

// The next test file of this process needs real timers, and none of this file's replacements.
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
