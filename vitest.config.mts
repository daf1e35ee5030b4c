import { defineConfig } from 'vitest/config';

/** They load the packed nodes, and with them what n8n changes in the whole process. */
const nodes = ['test/nodes/**/*.test.ts'];

export default defineConfig({
  test: {
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
    // Files run in the same processes, one after another, where nothing that they load changes the process: what starting
    // a process and importing everything anew costs is half of the time of a test run.
    unstubEnvs: true,
    unstubGlobals: true,
    restoreMocks: true,
    projects: [
      { extends: true, test: { name: 'src', include: ['test/**/*.test.ts'], exclude: nodes, isolate: false } },
      { extends: true, test: { name: 'nodes', include: nodes } },
    ],
  },
});
