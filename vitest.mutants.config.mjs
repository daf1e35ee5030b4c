import { defineConfig } from 'vitest/config';
import { floors } from './test-support/mutants/floors.mjs';

export default defineConfig({
  test: {
    include: floors[process.env.FLOOR].tests,
    setupFiles: ['test-support/mutants/slow-clock.ts'],
    testTimeout: 20_000,
  },
});
