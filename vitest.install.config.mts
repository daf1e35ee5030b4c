import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/install/**/*.test.ts'],
    // On two cores, one installs while another compiles.
    maxConcurrency: 2,
    // A limit against hanging: package managers download what users would.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
