import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** What n8n brings changes the process for all that is loaded later. */
const nodes = ['test/nodes/**/*.test.ts'];
/** What looks at its own process: its children, sockets, memory, and which packages it has loaded. */
const alone = [
  'test/nodes/host-packages.test.ts',
  'test/mcp/stdio/*.test.ts',
  'test/serve/{ends,sizes}.test.ts',
  'test/mcp/leaks.test.ts',
];

export default defineConfig({
  // The form that n8n itself loads. The other one is 125 files that Node cannot import by itself.
  resolve: { alias: [{ find: /^n8n-workflow$/, replacement: createRequire(import.meta.url).resolve('n8n-workflow') }] },
  test: {
    exclude: ['**/node_modules/**', 'test/hosts/n8n/**', 'test/install/**', 'test/bench/**'],
    // One more than there are cores: tests of processes wait for a fifth of the time.
    maxWorkers: availableParallelism() + 1,
    // Real servers are started and real packages are loaded: a limit against hanging, not a measure of speed.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // A loop without end inside a test is no matter of timers.
    globalSetup: ['test-support/watchdog/watch.ts'],
    setupFiles: [
      ...['beat', 'slow-clock', 'real-timers'].map((name) => `test-support/watchdog/${name}.ts`),
      'test-support/refusals/watched.ts',
    ],
    // Files share a few processes: to start one for each file, and import everything anew, took as long as the
    // tests. A file leaves its process as it found it.
    unstubEnvs: true,
    restoreMocks: true,
    projects: [
      {
        extends: true,
        test: { name: 'together', include: ['test/**/*.test.ts'], exclude: [...nodes, ...alone], isolate: false },
      },
      { extends: true, test: { name: 'nodes', include: nodes, exclude: alone, isolate: false } },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
  },
});
