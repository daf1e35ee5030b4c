// npm run bench:trajectories [-- FOLDER]: what lost schemas cost a model, counted in the public trajectories of LiveMCPBench
// (Claude Sonnet 4). Its router shows the model the names, types and descriptions of a tool's arguments, and nothing below
// them. `npm run fetch:trajectories` fetches them; no data is in this repository.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { catalogueOf } from '../src/mcp/catalogue/catalogue.js';
import type { CatalogueTool } from '../src/mcp/catalogue/tool.js';
import { isObject } from '../src/json/index.js';
import { checkArguments, InvalidArgumentsError } from '../src/tool/index.js';

interface Call {
  server: string;
  tool: string;
  params: unknown;
}

/** The outcomes of the calls of one tool. */
interface Counted {
  calls: number;
  invalid: number;
  repaired: number;
}

/** Keywords that tell a model the allowed values of an argument; bounds, patterns and formats are not counted. */
const telling = ['enum', 'const', 'properties', '$ref', 'anyOf', 'oneOf', 'allOf'];

const folder = process.argv[2] ?? fileURLToPath(new URL('../data/livemcpbench', import.meta.url));
const trajectories = join(folder, 'baseline/output/claude-sonnet-4-20250514_Qwen3-Embedding-0.6B.json');
if (!existsSync(trajectories)) {
  console.error(`${trajectories} is not there: npm run fetch:trajectories`);
  process.exit(2);
}

const tools = toolsByName();
const lossy = new Map<string, Counted>();
const flat = new Map<string, Counted>();
let unknown = 0;

for (const { server, tool, params } of callsOf(JSON.parse(readFileSync(trajectories, 'utf8')))) {
  const name = `${server}/${tool}`;
  const found = tools.get(name);
  if (found === undefined) {
    unknown += 1;
    continue;
  }
  const group = losesSomething(found.inputSchema) ? lossy : flat;
  const counted = group.get(name) ?? { calls: 0, invalid: 0, repaired: 0 };
  group.set(name, counted);
  counted.calls += 1;
  if (isAccepted(found, params, 'off')) continue;
  counted.invalid += 1;
  if (isAccepted(found, params, 'safe')) counted.repaired += 1;
}

report('tools whose router view lost something', lossy);
report('tools whose router view is whole', flat);
const [a, b] = [brokenOf(lossy), brokenOf(flat)];
console.log(`Fisher's exact test, two-sided: p = ${fisher(a, lossy.size - a, b, flat.size - b).toPrecision(2)}`);
const all = [...lossy.values(), ...flat.values()];
const sum = (of: (counted: Counted) => number) => all.reduce((total, each) => total + of(each), 0);
console.log(
  `${sum(({ calls }) => calls)} calls, ${sum(({ invalid }) => invalid)} of them invalid, ` +
    `${sum(({ repaired }) => repaired)} of these repaired by "safe"; ${unknown} calls of tools that are not listed`,
);

function report(title: string, group: ReadonlyMap<string, Counted>): void {
  console.log(`${brokenOf(group)} of ${group.size} ${title} had an invalid call`);
  for (const [name, { calls, invalid }] of group)
    if (invalid > 0) console.log(`  ${name}: ${invalid} of ${calls} calls`);
}

function brokenOf(group: ReadonlyMap<string, Counted>): number {
  return [...group.values()].filter(({ invalid }) => invalid > 0).length;
}

/**
 * True if the values of a tool's arguments are described below the level that the router shows: nested, listed or by
 * alternatives.
 */
function losesSomething(schema: unknown): boolean {
  const properties = isObject(schema) && isObject(schema['properties']) ? Object.values(schema['properties']) : [];
  return properties.some((property) => saysMore(property) || (isObject(property) && saysMore(property['items'])));
}

function saysMore(schema: unknown): boolean {
  return isObject(schema) && telling.some((keyword) => keyword in schema);
}

function isAccepted(tool: CatalogueTool, params: unknown, repairs: 'off' | 'safe'): boolean {
  try {
    checkArguments(tool, params, { repairs });
    return true;
  } catch (error) {
    if (error instanceof InvalidArgumentsError) return false;
    throw error;
  }
}

function toolsByName(): Map<string, CatalogueTool> {
  const text = readFileSync(join(folder, 'tools/LiveMCPTool/tools.json'), 'utf8');
  const packages = JSON.parse(text) as { tools: Record<string, { tools: unknown[] }> }[]; // see LiveMCPBench
  const named = packages.flatMap(({ tools: servers }) =>
    Object.entries(servers).flatMap(([server, { tools: entries }]) =>
      catalogueOf([{ entries }]).tools.map((tool) => [`${server}/${tool.name}`, tool] as const),
    ),
  );
  return new Map(named);
}

function callsOf(tasks: unknown): Call[] {
  const messages = (
    tasks as { messages: { tool_calls?: { function: { name: string; arguments: string } }[] }[] }[]
  ).flatMap((task) => task.messages); // see LiveMCPBench
  return messages.flatMap(({ tool_calls = [] }) =>
    tool_calls
      .filter(({ function: { name } }) => name === 'execute-tool')
      .map(({ function: { arguments: text } }) => {
        const { server_name, tool_name, params = {} } = JSON.parse(text) as Record<string, unknown>;
        return { server: String(server_name), tool: String(tool_name), params };
      }),
  );
}

/** The probability of a two-by-two table that is at least as uneven, with the same sums. */
function fisher(a: number, b: number, c: number, d: number): number {
  const logFactorial = (n: number) => Array.from({ length: n }, (_, i) => Math.log(i + 1)).reduce((x, y) => x + y, 0);
  const fixed = [a + b, c + d, a + c, b + d].map(logFactorial).reduce((x, y) => x + y, 0) - logFactorial(a + b + c + d);
  const probability = (x: number) =>
    Math.exp(fixed - [x, a + b - x, a + c - x, d - a + x].map(logFactorial).reduce((p, q) => p + q, 0));
  const observed = probability(a);
  const tables = Array.from({ length: Math.min(a + b, a + c) + 1 }, (_, x) => x).filter((x) => d - a + x >= 0);
  return tables
    .map(probability)
    .filter((p) => p <= observed * (1 + 1e-9))
    .reduce((x, y) => x + y, 0);
}
