// Mutation testing of what guards: `npm run mutants` (see test-support/mutants). Each mutant is one limit, check or comparison
// taken out; a test has to notice.
import { floors } from './test-support/mutants/floors.mjs';

const { mutate, sample, builds = false, least = 85 } = floors[process.env.FLOOR ?? 'json'];

export default {
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutants.config.mjs', related: false },
  plugins: ['@stryker-mutator/vitest-runner', './test-support/mutants/sample.mjs'],
  checkers: sample === undefined ? [] : ['sample'],
  mutate: [...mutate, '!src/**/index.ts'],
  // Words of messages are asserted where they matter; a letter more or less in each of them guards nothing.
  mutator: { excludedMutations: ['StringLiteral', 'ObjectLiteral', 'ArrayDeclaration', 'Regex', 'OptionalChaining'] },
  ignoreStatic: true,
  coverageAnalysis: 'perTest',
  concurrency: 1,
  timeoutMS: 6_000,
  tempDirName: '.mutants',
  ignorePatterns: ['data', 'dist', 'demo', 'bench', 'packages/*/dist', 'test/langchain/hosts', '.ci'],
  ...(builds && { buildCommand: 'node test-support/mutants/build-copy.mjs' }),
  reporters: ['clear-text', 'progress-append-only', 'json'],
  jsonReporter: { fileName: `.mutants/${process.env.FLOOR ?? 'json'}.json` },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, allowEmojis: false },
  thresholds: { high: least, low: least, break: least },
};
