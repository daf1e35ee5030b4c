// What n8n asks of community nodes (npm run lint:n8n, or `eslint -c eslint.n8n.config.mjs`).
// "Without cloud support", because the cloud rules forbid timers and `process`, which no MCP client can do without.
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import tseslint from 'typescript-eslint';

const json = {
  // The rules about package.json read it as an expression.
  meta: { name: 'package-json' },
  parseForESLint: (text) => tseslint.parser.parseForESLint(`(${text})`, {}),
};

export default tseslint.config(
  {
    ignores: [
      'dist/**',
      'node_modules/**',
      'src/**',
      'test/**',
      'test-support/**',
      'demo/**',
      'bench/**',
      'packages/**',
      'build/**',
      '*.mjs',
      '*.ts',
    ],
  },
  {
    files: ['nodes/**/*.ts', 'credentials/**/*.ts', 'package.json'],
    ...n8nCommunityNodesPlugin.configs.recommendedWithoutN8nCloudSupport,
    languageOptions: { parser: tseslint.parser },
  },
  // Known here only so that the sources may name its rules.
  { plugins: { '@typescript-eslint': tseslint.plugin }, linterOptions: { reportUnusedDisableDirectives: 'off' } },
  { files: ['package.json'], languageOptions: { parser: json } },
);
