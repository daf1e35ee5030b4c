import { configDefaults, defineConfig } from 'vitest/config';

/** The fast tests of what guards: no recorded servers, no published packages, no processes, nothing that is built. */
const slow = [
  'corpus',
  'agreement',
  'interop',
  'leaks',
  'stdio',
  'tls',
  'sse',
  'oauth',
  'formats-on-demand',
  'hostile',
];

/** The floors whose tests are run, separated by commas: `MUTANTS=json,schema`. */
const floors = process.env.MUTANTS ?? 'json,secrets,schema,repair,tool,mcp';

export default defineConfig({
  test: {
    include: floors.split(',').map((floor) => `test/${floor}/**/*.test.ts`),
    exclude: [...configDefaults.exclude, `**/*{${slow.join(',')}}*`],
    testTimeout: 20_000,
  },
});
