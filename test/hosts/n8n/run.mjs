// npm run test:n8n -- [--n8n 1.123.81] [--layout pnpm] [--node 22] [--short] [arguments of vitest]
//
// Runs the tests in a real n8n: 2.41.1 as npm installs it, unless another version or layout is named. Versions with a
// folder in test-support/n8n/hosts are installed from their lockfile.
import { parseArgs } from 'node:util';
import { parseCLI, startVitest } from 'vitest/node';

const options = {
  n8n: { type: 'string' },
  layout: { type: 'string' },
  node: { type: 'string' },
  short: { type: 'boolean' },
};
const { values, tokens } = parseArgs({ options, strict: false, tokens: true, allowPositionals: true });
const rest = tokens.flatMap((token) => {
  if (token.kind === 'positional') return [token.value];
  if (token.kind !== 'option' || token.name in options) return [];
  return [token.inlineValue ? `${token.rawName}=${token.value}` : token.rawName];
});

/** Agents, calls without one, the panels, texts that n8n must not evaluate, human review, and n8n as a gateway. */
const short = ['agent', 'panels', 'planted-expressions', 'places/human-review', 'places/server-trigger'].map(
  (name) => `test/hosts/n8n/${name}.test.ts`,
);

const settings = { N8N: values.n8n, N8N_LAYOUT: values.layout, NODE: values.node };
for (const [name, value] of Object.entries(settings)) {
  if (typeof value === 'string') process.env[`MCP_VERBATIM_${name}`] = value;
}

// In this process, so that a signal ends the tests, too.
const config = ['--config', 'vitest.n8n.config.mts'];
const { filter, options: vitestOptions } = parseCLI([
  'vitest',
  'run',
  ...config,
  ...(values.short ? short : []),
  ...rest,
]);
const vitest = await startVitest('test', filter, vitestOptions);
await vitest.exit();
