import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/hosts/n8n/**/*.test.ts'],
    globalSetup: ['test/hosts/n8n/global-setup.ts'],
    // All files share one n8n, which runs one thing at a time anyway.
    fileParallelism: false,
    // Limits against hanging, not measures of speed.
    testTimeout: 600_000,
    hookTimeout: 1_800_000,
  },
});
