import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/bench/**/*.test.ts'],
    isolate: false,
    // Limits against hanging: real packages are loaded.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    restoreMocks: true,
  },
});
