/**
 * What `mcp-verbatim serve` adds to a call over stdio: `npx tsx bench/serve.ts [calls]`, after a build. The same server
 * is called directly and through the relay, in turns, over one connection each; printed is the middle of each, and the
 * difference.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const calls = Number(process.argv[2] ?? 2000);
const server = [process.execPath, fileURLToPath(new URL('../test/serve/echoing.mjs', import.meta.url))];
const cli = fileURLToPath(new URL('../packages/mcp-verbatim/dist/esm/cli.js', import.meta.url));

void main();

async function main(): Promise<void> {
  const ways = {
    directly: await connect(server),
    'through serve': await connect([process.execPath, cli, 'serve', '--', ...server]),
  };
  const times = Object.fromEntries(Object.keys(ways).map((name) => [name, [] as number[]]));
  for (let i = 0; i < calls; i++)
    for (const [name, way] of Object.entries(ways)) {
      const began = performance.now();
      await way.call({ n: i, text: 'as it is', '9': String(i) });
      times[name]!.push(performance.now() - began);
    }
  const middles = Object.entries(times).map(([name, all]) => {
    const sorted = all.slice(Math.min(200, all.length / 2)).sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? NaN;
    console.log(`${name.padEnd(14)} median ${at(0.5).toFixed(3)} ms, 95 % within ${at(0.95).toFixed(3)} ms`);
    return at(0.5);
  });
  console.log(`added          median ${((middles[1] ?? NaN) - (middles[0] ?? NaN)).toFixed(3)} ms`);
  for (const way of Object.values(ways)) way.end();
}

async function connect([command = '', ...args]: string[]) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map<number, () => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    waiting.get((JSON.parse(line) as { id: number }).id)?.();
  });
  let nextId = 0;
  const ask = (method: string, params: object) =>
    new Promise<void>((resolve) => {
      const id = nextId++;
      waiting.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  const clientInfo = { name: 'bench', version: '1' };
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  await ask('tools/list', {});
  return {
    call: (args: object) => ask('tools/call', { name: 'echo', arguments: args }),
    end: () => child.stdin.end(),
  };
}
