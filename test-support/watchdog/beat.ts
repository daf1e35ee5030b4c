import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

// A sign of life of this test file, for the watchdog outside its process (watch.ts).
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
  setInterval(beat, 2000).unref();
  process.once('exit', () => {
    rmSync(path, { force: true });
  });
}
