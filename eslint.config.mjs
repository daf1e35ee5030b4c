import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import tseslint from 'typescript-eslint';

/** Files are named in kebab-case (`X.web.ts` stands in for `X.ts` where there is no Node), but for the nodes and credentials, whose names n8n fixes. */
const fileNames = {
  create: (context) => ({
    Program(node) {
      const name = basename(context.filename);
      if (/^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.d|\.web)?\.m?ts$/.test(name) || /\.(node|credentials)\.ts$/.test(name))
        return;
      context.report({ node, message: `Name this file in kebab-case, not "${name}".` });
    },
  }),
};

/** What is also built for runtimes without Node; of a file that needs it, the one beside it that does without. */
const needsNode = [
  'src/{cli,observe,serve}/**',
  'src/mcp/node.ts',
  'src/mcp/stdio/process-group.ts',
  'src/mcp/http-client/proxy.ts',
  ...readdirSync(`${import.meta.dirname}/src`, { recursive: true })
    .filter((file) => file.endsWith('.web.ts'))
    .map((file) => `src/${file.replace(/\.web\.ts$/, '.ts')}`),
];
const globalsOfNode = ['Buffer', 'clearImmediate', 'global', 'process', 'require', 'setImmediate'];
const notOfNode = 'Not every runtime has it: use it in a file that has an X.web.ts beside it.';

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      'data/**',
      '.mutants/**',
      '**/node_modules/**',
      '**/*.mjs',
      '**/vitest*.mts',
      'test/langchain/hosts/**',
      'test/frameworks/**',
      'bench/peers/**',
      '.bench/**',
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { local: { rules: { 'file-names': fileNames } } },
    rules: {
      'local/file-names': 'error',
      eqeqeq: ['error', 'always'],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // A class's own state is #private: nobody outside can reach it, in JavaScript neither.
      'no-restricted-syntax': [
        'error',
        { selector: 'PropertyDefinition[accessibility="private"]', message: 'Use a #private name.' },
        { selector: 'MethodDefinition[accessibility="private"]', message: 'Use a #private name.' },
        { selector: 'TSParameterProperty[accessibility="private"]', message: 'Use a #private field.' },
      ],
    },
  },
  {
    // What people read goes through the Terminal of src/cli, which escapes it.
    files: ['src/**', 'nodes/**'],
    ignores: ['src/cli/main.ts'],
    rules: {
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'stdout', message: 'Write through the Terminal.' },
        { object: 'process', property: 'stderr', message: 'Write through the Terminal.' },
      ],
    },
  },
  {
    files: ['src/**'],
    ignores: needsNode,
    rules: {
      'no-restricted-globals': ['error', ...globalsOfNode.map((name) => ({ name, message: notOfNode }))],
      'no-restricted-imports': ['error', { patterns: [{ group: ['node:*'], message: notOfNode }] }],
      'no-restricted-properties': [
        'error',
        ...globalsOfNode.map((property) => ({ object: 'globalThis', property, message: notOfNode })),
      ],
    },
  },
  {
    // A malformed keyword is reported, and what it compiles to is undefined: `return at.malformed('a string')`.
    files: ['src/schema/**'],
    rules: { '@typescript-eslint/no-confusing-void-expression': 'off' },
  },
  {
    files: ['test/**', 'test-support/**', 'bench/**', 'demo/**'],
    rules: {
      // A test that meets an undefined where it expects a value fails, as it should.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/require-await': 'off',
      // The SDK's low-level server: the other one writes its own schemas.
      '@typescript-eslint/no-deprecated': [
        'error',
        { allow: [{ from: 'package', name: 'Server', package: '@modelcontextprotocol/sdk' }] },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: 'CallExpression[callee.name="it"]', message: 'Tests are called test.' },
        { selector: 'CallExpression[callee.object.name="it"]', message: 'Tests are called test.' },
      ],
    },
  },
);
