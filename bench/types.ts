// npm run bench:types [-- --tools COUNT]: how many invalid calls of the recorded tools the compiler catches with the types of
// `mcp-verbatim types`, of json-schema-to-typescript and of mcporter's emit-ts, and how many valid ones it refuses. The
// schema itself decides which calls are valid. Prints a table; what of ours is wrong is printed above it, to be read.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { createInterface } from 'node:readline';
import { toolTypes } from '../src/projections/index.js';
import { isObject } from '../src/json/index.js';
import { requiredPackages } from '../test-support/packages.js';
import { corpusTools } from '../test-support/schemas/corpus.js';
import { requiredFolder } from '../test-support/shared.js';
import { nodeFor } from './peer.js';
import { callsOf, type TypedCall, kinds } from './types/calls.js';
import { refusedLines } from '../test-support/compiled.js';

const { values } = parseArgs({ options: { tools: { type: 'string' }, corpus: { type: 'string' } } });

interface Tool {
  readonly name: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** A module with the type of a tool's arguments; undefined if none was made. */
type Declaration = { readonly source: string; readonly type: string } | undefined;

void main();

async function main(): Promise<void> {
  const folder = requiredPackages('bench/peers');
  const tools = corpusTools(values.corpus ?? requiredFolder('corpus'))
    .flatMap(({ name, inputSchema }): Tool[] => (isObject(inputSchema) ? [{ name, inputSchema }] : []))
    .slice(0, values.tools === undefined ? undefined : Number(values.tools));
  const calls = tools.map(({ inputSchema }) => callsOf(inputSchema));
  const all = calls.flat();
  const count = (kind: TypedCall['kind']) => all.filter((call) => call.kind === kind).length;
  console.log(`${tools.length} tools, ${all.length} calls\n`);
  console.log(`| | usable types | ${kinds.map((kind) => `${kind} (${count(kind)})`).join(' | ')} |`);
  console.log(`| --- | ---: | ${kinds.map(() => '---:').join(' | ')} |`);
  const ours = tools.map((tool): Declaration => ({
    source: toolTypes([tool]),
    type: `Tools[${JSON.stringify(tool.name)}]`,
  }));
  printRow('mcp-verbatim', ours, calls, true);
  for (const peer of ['json-schema-to-typescript', 'mcporter'])
    printRow(peer, await declaredBy(peer, tools, folder), calls, false);
}

function printRow(
  name: string,
  declarations: readonly Declaration[],
  calls: readonly (readonly TypedCall[])[],
  isOurs: boolean,
): void {
  const modules = declarations.map((declaration, tool) => {
    const { source = '', type = 'unknown' } = declaration ?? {};
    const lines = (calls[tool] ?? []).map(({ text }, index) => `const call${index}: ${type} = ${text};`);
    return { source, lines };
  });
  const refused = refusedLines(modules);
  const refusals: Record<string, number> = {};
  let usable = 0;
  for (const [tool, { isUsable, lines }] of refused.entries()) {
    if (declarations[tool] !== undefined && isUsable) usable++;
    for (const [index, { kind, text }] of (calls[tool] ?? []).entries()) {
      // Types that do not compile catch nothing, and are no help for a valid call.
      const isRefused = isUsable && declarations[tool] ? lines.has(index) : kind === 'valid';
      if (isRefused) refusals[kind] = (refusals[kind] ?? 0) + 1;
      if (isOurs && isRefused === (kind === 'valid'))
        console.error(`${kind}: ${text.slice(0, 300)}\n  ${modules[tool]?.source.slice(0, 1500) ?? ''}`);
    }
  }
  console.log(`| ${name} | ${usable} | ${kinds.map((kind) => refusals[kind] ?? 0).join(' | ')} |`);
}

/** In a process of its own, with a Node that all of them run on. */
async function declaredBy(peer: string, tools: readonly Tool[], folder: string): Promise<Declaration[]> {
  const child = spawn(nodeFor(folder), ['types.mjs'], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
  const declarations: Declaration[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = JSON.parse(line) as { error: string } | { source: string; type: string };
    declarations.push('error' in answer ? undefined : answer);
  });
  for (const tool of tools) child.stdin.write(`${JSON.stringify({ peer, ...tool })}\n`);
  child.stdin.end();
  await once(child, 'close');
  return declarations;
}
