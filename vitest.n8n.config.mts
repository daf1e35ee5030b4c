import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/hosts/n8n/**/*.test.ts'],
    globalSetup: ['test/hosts/n8n/global-setup.ts'],
    // Most files share one n8n, some start their own: two at a time keep two cores busy. What they import is read once.
    maxWorkers: 2,
    isolate: false,
    // Limits against hanging, not measures of speed.
    testTimeout: 600_000,
    hookTimeout: 1_800_000,
  },
});
