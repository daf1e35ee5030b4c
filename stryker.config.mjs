// Mutation testing of what guards (npm run mutants): each mutant is one limit, check or comparison taken out; a test has to
// notice. Takes a while, and is no part of CI. One folder: npm run mutants -- --mutate 'src/json/**/*.ts'
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutants.config.mts', related: false },
  plugins: ['@stryker-mutator/vitest-runner'],
  mutate: [
    'src/json/**/*.ts',
    'src/schema/**/*.ts',
    'src/repair/**/*.ts',
    'src/secrets/**/*.ts',
    'src/mcp/**/*.ts',
    '!src/**/index.ts',
  ],
  // Words of messages are asserted where they matter; a letter more or less in each of them guards nothing.
  mutator: { excludedMutations: ['StringLiteral', 'ObjectLiteral', 'Regex'] },
  ignoreStatic: true,
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 20_000,
  tempDirName: '.mutants',
  reporters: ['clear-text', 'progress'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 85, low: 85, break: 85 },
};
