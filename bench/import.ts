import { execFileSync } from 'node:child_process';
import { requiredPackages } from '../test-support/packages.js';

// npm run bench:import: the time that loading takes, in separate processes, one after the other in each of the rounds.
const rounds = 15;
const folder = requiredPackages('bench/peers');
const loaded = ['', 'mcp-verbatim', 'mcp-verbatim/langchain', '@langchain/mcp-adapters'];
const times = new Map(loaded.map((name): [string, number[]] => [name, []]));

for (let round = 0; round < rounds; round++)
  for (const [name, taken] of times) {
    const began = performance.now();
    const program = name === '' ? '' : `import '${name}';`;
    execFileSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: folder });
    taken.push(performance.now() - began);
  }

const nothing = median(times.get('') ?? []);
for (const name of loaded.slice(1))
  console.log(`${name}: ${(median(times.get(name) ?? []) - nothing).toFixed(0)} ms beyond an empty program`);

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
