// npm run mutants [-- FLOOR ...]: mutation testing of the guarding code, layer by layer, with each layer's score.
// npm run mutants -- wiring [WORD ...]: breaks the promises of the documentation that contain each word, and runs
// their tests.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import { floors } from './floors.mjs';
import { runWiring } from './wiring/run.mjs';

const wanted = process.argv.slice(2);
const isWiring = wanted[0] === 'wiring';
const unknown = wanted.filter((name) => !Object.hasOwn(floors, name));
if (unknown.length > 0 && !isWiring)
  throw new Error(`There is no floor "${unknown[0]}"; there are wiring, ${Object.keys(floors).join(', ')}.`);

// Stryker works on copies of the checkout in .mutants; the tests look for the official suite beside it.
mkdirSync('.mutants', { recursive: true });
rmSync('.mutants/shared', { force: true });
const shared = ['../shared', 'data'].find((folder) => existsSync(`${folder}/json-schema-test-suite`));
if (shared === undefined) throw new Error('The official suite is missing: npm run fetch:suite');
symlinkSync(resolve(shared), '.mutants/shared');

if (isWiring) process.exit((await runWiring(wanted.slice(1))) ? 0 : 1);

const lines = [];
for (const floor of wanted.length > 0 ? wanted : Object.keys(floors)) {
  const began = Date.now();
  rmSync(`.mutants/${floor}.json`, { force: true });
  const { status } = spawnSync('npx', ['stryker', 'run'], { stdio: 'inherit', env: { ...process.env, FLOOR: floor } });
  if (status !== 0) process.exitCode = 1;
  lines.push(`${floor.padEnd(12)} ${summary(floor)}, ${Math.round((Date.now() - began) / 60_000)} min`);
}
console.log(`\n${lines.join('\n')}`);

/** Survivors and mutants that no test reaches count alike. Mutants that no test can notice (ignored) do not count. */
function summary(floor) {
  if (!existsSync(`.mutants/${floor}.json`)) return 'was not counted';
  const { files } = JSON.parse(readFileSync(`.mutants/${floor}.json`, 'utf8'));
  const statuses = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  const noticed = statuses.filter((status) => status === 'Killed' || status === 'Timeout').length;
  const missed = statuses.filter((status) => status === 'Survived' || status === 'NoCoverage').length;
  const { sample } = floors[floor];
  const drawn = sample === undefined ? '' : `, drawn ${100 * sample} % of them`;
  return `${((100 * noticed) / (noticed + missed)).toFixed(1).padStart(5)} % (${noticed} of ${noticed + missed}${drawn})`;
}
