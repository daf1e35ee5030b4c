/**
 * `npm run bench:repair`: what repair costs of large arguments with much to repair, in milliseconds of processor time, as
 * the installed package does it by default. Best of five, after the code is warm.
 */
import type * as mcpVerbatim from '../src/index.js';

// By an address, because types are checked before anything is built.
const built = new URL('../packages/mcp-verbatim/dist/esm/index.js', import.meta.url).href;

const properties = (count: number, schema: object) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, schema]));

const rows = (count: number, value: unknown) =>
  Array.from({ length: count }, () =>
    Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`p${index}`, value])),
  );

const tool = (items: object) => ({
  name: 'find_rows',
  annotations: { readOnlyHint: true },
  inputSchema: { type: 'object', properties: { rows: { type: 'array', items } } },
});

const cases: [string, ReturnType<typeof tool>, (count: number) => unknown][] = [
  ['20 nulls in a row', tool({ type: 'object', properties: properties(20, { type: 'string' }) }), (n) => rows(n, null)],
  [
    '20 integers as text',
    tool({ type: 'object', properties: properties(20, { type: 'integer' }) }),
    (n) => rows(n, '7'),
  ],
];

void main();

async function main(): Promise<void> {
  const { checkArguments } = (await import(built)) as typeof mcpVerbatim;
  for (const [what, about, values] of cases) {
    for (const count of [25, 200]) {
      const times = Array.from({ length: 8 }, () => cpuMs(() => checkArguments(about, { rows: values(count) })));
      console.log(`${count} rows, ${what}: ${Math.min(...times.slice(3)).toFixed(1)} ms`);
    }
  }
}

function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
