import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'test/hosts/n8n/**', 'test/install/**'],
    // One for each core: by default Vitest leaves one core to itself.
    maxWorkers: '100%',
    // Real servers are started and real packages are loaded: a limit against hanging, not a measure of speed.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // A loop without end inside a test is no matter of timers.
    globalSetup: ['test-support/watchdog/watch.ts'],
    setupFiles: ['test-support/watchdog/beat.ts', 'test-support/watchdog/slow-clock.ts'],
  },
});
