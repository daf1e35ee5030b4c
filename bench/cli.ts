/**
 * The command line beside MCP Inspector's: `npm run bench:cli [rounds]`, after a build. Whole processes, on the same Node, taking turns: `--help` beside a bare `node`, and listing
 * the tools of a trivial server over stdio. Printed are the medians of the wall clock with the middle half of the rounds.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requiredPackages } from '../test-support/packages.js';
import { programPath } from '../test-support/servers/program.js';
import { nodeFor } from './peer.js';
import { spread } from './spread.js';

const rounds = Number(process.argv[2] ?? 15);
const folder = requiredPackages('bench/inspector');
const node = nodeFor(folder);
const own = fileURLToPath(new URL('../packages/mcp-verbatim/dist/esm/cli.js', import.meta.url));
const inspector = join(folder, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
const server = [node, programPath('stdio.mjs')];

const groups: Record<string, Record<string, string[]>> = {
  'print the help': { 'mcp-verbatim --help': [own, '--help'], 'node alone': ['-e', '0'] },
  'list the tools of a trivial server': {
    'mcp-verbatim list': [own, 'list', '--', ...server],
    'MCP Inspector --cli': [inspector, '--cli', ...server, '--method', 'tools/list'],
  },
};

for (const [title, commands] of Object.entries(groups)) {
  const samples = new Map(Object.keys(commands).map((name) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round++)
    for (const [name, args] of Object.entries(commands)) {
      const ms = timed(args);
      if (round > 0) samples.get(name)!.push(ms);
    }
  console.log(`${title} (${rounds} rounds, Node ${versionOf(node)}):`);
  const first = spread([...samples.values()][0]!).median;
  for (const [name, all] of samples) {
    const { median, quartiles } = spread(all);
    console.log(
      `  ${name.padEnd(24)} ${median.toFixed(0).padStart(6)} ms (${quartiles.map((each) => each.toFixed(0)).join('–')})  ${(median / first).toFixed(2)}`,
    );
  }
}

function timed(args: readonly string[]): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(node, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - started;
}

function versionOf(program: string): string {
  return spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.trim();
}
