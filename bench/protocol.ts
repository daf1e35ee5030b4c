/**
 * The protocol side by side: `npm run bench:protocol [rounds]`, after a build.
 *
 * A session is connect, list and 20 calls, over HTTP (answered in JSON, or in event streams) and stdio; a listing is one
 * answer with 5,000 tools; what a kept list or session holds is memory in use after a collection. Every figure is measured
 * in a process of its own, the clients take turns in each round, and what is printed is the best of the rounds, the one
 * that whatever else the machine does has disturbed least, as a ratio to the bare SDK or to `fetch` and `JSON.parse` of the
 * same bytes.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ToolSchema } from '@modelcontextprotocol/sdk/types.js';
import { shuffled } from './shuffled.js';
import { programPath, startProgram } from '../test-support/servers/program.js';
import { readCorpus } from '../test-support/servers/corpus.js';
import { requiredFolder } from '../test-support/shared.js';
import { cannotRun } from '../test-support/cannot-run.js';
import { requiredPackages } from '../test-support/packages.js';

interface Sample {
  ms: number;
  /** Processor time of the client's process. */
  cpuMs: number;
  megabytes?: number;
}

type Address = { url: string } | { command: string; args: string[] };

const rounds = Number(process.argv[2] ?? 9);
const ours = 'mcp-verbatim';
const bareSdk = '@modelcontextprotocol/sdk';
const baseline = 'fetch and JSON.parse';
const clients = [ours, bareSdk, '@modelcontextprotocol/client', '@langchain/mcp-adapters'];
const worker = fileURLToPath(new URL('./protocol/worker.mjs', import.meta.url));
const serverProgram = fileURLToPath(new URL('./protocol/server.mjs', import.meta.url));

void main();

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-'));
  const packages = requiredPackages('bench/peers');
  const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
  const short = await serverOf(
    join(folder, 'short.json'),
    ['echo', 'sink'].map((name) => ({ name, inputSchema })),
  );
  const tools = manyTools(5000);
  const long = await serverOf(join(folder, 'long.json'), tools);
  try {
    console.log(`Connect, list, 20 calls (best of ${rounds}; ratio to ${bareSdk}):`);
    print('  over HTTP ', await measure('session', clients, { url: short.url }, packages), bareSdk);
    print(
      '  in streams',
      await measure('session', clients, { url: new URL('/events', short.url).href }, packages),
      bareSdk,
    );
    print(
      '  over stdio',
      await measure('session', clients, { command: process.execPath, args: [programPath('stdio.mjs')] }, packages),
      bareSdk,
    );
    console.log('Requests on the wire for one such session over HTTP:');
    for (const name of clients) console.log(`  ${name.padEnd(30)} ${await requestsOf(name, short.url, packages)}`);
    const bytes = JSON.stringify(tools).length;
    console.log(
      `List ${tools.length} tools, ${(bytes / 1e6).toFixed(1)} MB (best of ${rounds}; ratio to ${baseline}):`,
    );
    print('  over HTTP ', await measure('listing', [baseline, ...clients], { url: long.url }, packages), baseline);
    console.log(`What is held of these ${tools.length} tools (least of the rounds; ratio to ${baseline}):`);
    printHeld(await measure('held', [baseline, ...clients], { url: long.url }, packages));
    console.log('A session that is kept and idle, with its list of two tools (least of the rounds):');
    for (const [name, { megabytes }] of await measure('kept', clients, { url: short.url }, packages))
      console.log(
        `  ${name.padEnd(30)} ${Math.max(0, megabytes! * 1000)
          .toFixed(0)
          .padStart(6)} KB`,
      );
    console.log(
      'A call with 20 MB of arguments: memory beyond them, at its highest (least of the rounds; of their size):',
    );
    for (const [name, { megabytes }] of await measure('large', clients, { url: short.url }, packages))
      console.log(`  ${name.padEnd(30)} ${megabytes!.toFixed(0).padStart(6)} MB ${(megabytes! / 20).toFixed(2)}x`);
  } finally {
    await Promise.all([short.close(), long.close()]);
    rmSync(folder, { recursive: true });
  }
}

async function serverOf(file: string, tools: unknown[]) {
  writeFileSync(file, JSON.stringify(tools));
  return startProgram(serverProgram, [file]);
}

/** Real tools, repeated under other names. */
function manyTools(count: number): unknown[] {
  const lines = readCorpus(requiredFolder('corpus')).flatMap(({ toolsListLines }) => toolsListLines);
  // The bare SDK refuses a whole list for one tool that it does not understand, so only those that it does are listed.
  const real = lines
    .flatMap((line) => (JSON.parse(line) as { result: { tools: object[] } }).result.tools)
    .filter((tool) => ToolSchema.safeParse(tool).success);
  return Array.from({ length: count }, (_, n) => ({ ...real[n % real.length], name: `tool_${n}` }));
}

async function measure(
  workload: string,
  names: readonly string[],
  address: Address,
  packages: string,
): Promise<Map<string, Sample>> {
  const samples = new Map<string, Sample[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    // The process after a heavy one pays for it.
    for (const name of shuffled(names)) {
      samples.get(name)!.push(await run(name, workload, address, packages));
    }
  }
  return new Map([...samples].map(([name, all]) => [name, best(all)]));
}

async function run(name: string, workload: string, address: Address, packages: string): Promise<Sample> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--expose-gc',
      worker,
      name,
      workload,
      JSON.stringify(address),
      packages,
    ]);
    return JSON.parse(stdout.trim().split('\n').at(-1)!) as Sample;
  } catch (error) {
    const { message } = error as Error; // of execFile
    return cannotRun(
      `${name} cannot be measured: ${message.split('\n').find((line) => line.includes('Error')) ?? message}`,
    );
  }
}

async function requestsOf(name: string, url: string, packages: string): Promise<string> {
  const count = new URL('/count', url);
  await fetch(count);
  await run(name, 'session', { url }, packages);
  const seen = (await (await fetch(count)).json()) as string[];
  const kinds = [...new Set(seen)].map((kind) => `${seen.filter((other) => other === kind).length / 2} ${kind}`);
  return `${seen.length / 2} (${kinds.join(', ')})`;
}

function print(title: string, samples: Map<string, Sample>, reference: string): void {
  const base = samples.get(reference);
  const column = (value: number, unit: string, reference: number | undefined) =>
    `${value.toFixed(1).padStart(8)} ${unit} ${reference ? (value / reference).toFixed(2) : '?'}x`;
  for (const [name, { ms, cpuMs, megabytes }] of samples) {
    const memory = megabytes ? column(megabytes, 'MB', base?.megabytes) : '';
    console.log(
      `${title} ${name.padEnd(30)} ${column(ms, 'ms', base?.ms)} ${column(cpuMs, 'ms cpu', base?.cpuMs)} ${memory}`,
    );
  }
}

function printHeld(samples: Map<string, Sample>): void {
  const base = samples.get(baseline)?.megabytes ?? Number.NaN;
  for (const [name, { megabytes = Number.NaN }] of samples)
    console.log(`  ${name.padEnd(30)} ${megabytes.toFixed(1).padStart(6)} MB ${(megabytes / base).toFixed(2)}x`);
}

function best(samples: Sample[]): Sample {
  const lowest = (values: number[]) => Math.min(...values);
  return {
    ms: lowest(samples.map(({ ms }) => ms)),
    cpuMs: lowest(samples.map(({ cpuMs }) => cpuMs)),
    megabytes: lowest(samples.map(({ megabytes }) => megabytes ?? 0)),
  };
}
