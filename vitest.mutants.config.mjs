import { matchesGlob, relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';
import { defineConfig } from 'vitest/config';
import { floors } from './test-support/mutants/floors.mjs';

const { tests, waits = false, builds = false } = floors[process.env.FLOOR];

/** In the order of the floor's list, in which what notices most in the least time stands first. */
class InOrder extends BaseSequencer {
  sort(files) {
    const place = ({ moduleId }) =>
      tests.findIndex((pattern) => matchesGlob(relative(import.meta.dirname, moduleId), pattern));
    return Promise.resolve(files.toSorted((a, b) => place(a) - place(b)));
  }
}

export default defineConfig({
  test: {
    include: tests,
    sequence: { sequencer: InOrder },
    setupFiles: ['test-support/watchdog/slow-clock.ts', 'test-support/watchdog/real-timers.ts'],
    unstubEnvs: true,
    restoreMocks: true,
    // Where tests wait for processes and sockets, a mutant that waits without end is noticed soon: their slowest takes a second.
    // The first test that loads what is built takes longer on a busy machine.
    testTimeout: waits && !builds ? 6_000 : 30_000,
    hookTimeout: builds ? 30_000 : 4_000,
  },
});
