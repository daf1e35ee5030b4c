// npm run test:n8n -- [--n8n 1.123.5] [--layout pnpm] [--node 22] [--short] [what vitest takes]
//
// Runs the tests in a real n8n: 2.41.1 as npm installs it, unless another version or layout is named. Versions with a
// folder in test-support/n8n/hosts are installed from their lockfile.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const options = {
  n8n: { type: 'string' },
  layout: { type: 'string' },
  node: { type: 'string' },
  short: { type: 'boolean' },
} as const;
const { values, tokens } = parseArgs({ options, strict: false, tokens: true, allowPositionals: true });
const rest = tokens.flatMap((token) => {
  if (token.kind === 'positional') return [token.value];
  if (token.kind !== 'option' || token.name in options) return [];
  return [token.inlineValue ? `${token.rawName}=${token.value}` : token.rawName];
});

/** Agents that call, repair and refuse, calls without one and the panels, human review, and n8n as a gateway. */
const short = ['agent', 'panels', 'places/human-review', 'places/server-trigger'].map(
  (name) => `test/hosts/n8n/${name}.test.ts`,
);

const { status } = spawnSync(
  'npx',
  ['vitest', 'run', '--config', 'vitest.n8n.config.mts', ...(values.short ? short : []), ...rest],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...(typeof values.n8n === 'string' ? { MCP_VERBATIM_N8N: values.n8n } : {}),
      ...(typeof values.layout === 'string' ? { MCP_VERBATIM_N8N_LAYOUT: values.layout } : {}),
      ...(typeof values.node === 'string' ? { MCP_VERBATIM_NODE: values.node } : {}),
    },
  },
);
process.exitCode = status ?? 1;
