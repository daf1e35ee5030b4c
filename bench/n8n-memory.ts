// npm run bench:n8n-memory: the memory of an n8n after runs of an AI Agent with MCP Verbatim Tool, beside n8n's own MCP
// Client Tool and beside a tool that asks no server, each in an n8n of its own. Puts the table into docs/benchmarks/n8n.md.
import { inspect } from 'node:util';
import { cannotRun } from '../test-support/cannot-run.js';
import { readCorpus } from '../test-support/servers/corpus.js';
import { installHost } from '../test-support/n8n/install.js';
import { requiredFolder } from '../test-support/shared.js';
import { called, catalogueOf } from './n8n/catalogue.js';
import { memoryAfter } from './n8n/memory.js';
import { prepareUserFolders } from './n8n/packages.js';
import { calculator, calculatorNode, local } from './n8n/parts.js';
import { startServer } from './n8n/server.js';
import { temporaryFolder } from './n8n/stage.js';
import { table } from './n8n/table.js';
import { waysTo, wayNames } from './n8n/ways.js';
import { putSections } from './page.js';

const counts = [50, 100, 200, 400];
const tools = 30;

main().then(
  () => process.exit(0),
  (error: unknown) => cannotRun(inspect(error)),
);

async function main(): Promise<void> {
  const corpus = readCorpus(requiredFolder('corpus'));
  const host = await installHost((step) => console.error(step));
  const { own: userFolder } = await prepareUserFolders(host, await temporaryFolder());
  await using server = await startServer(catalogueOf(tools, corpus));

  const rows: string[][] = [];
  for (const name of [local, ...wayNames] as const) {
    const read = await memoryAfter(
      host,
      userFolder,
      counts,
      server,
      name === local
        ? { called: calculator, args: { input: '1 + 1' }, node: () => Promise.resolve(calculatorNode) }
        : {
            called,
            args: { query: 'order', limit: 1 },
            node: async (stage) => (await waysTo(server, stage))[name](),
          },
    );
    rows.push([name, ...read.map(({ heap, rss }) => `${heap.toFixed(0)} / ${rss.toFixed(0)} MB`)]);
    console.error(rows.at(-1)?.join(' · '));
  }

  const page = [
    '## Memory',
    '',
    `Megabytes of n8n's process after runs of one workflow: an AI Agent with ${tools} tools, of which it calls one. First the heap after a collection of garbage, then the resident set. Each line is an n8n of its own.`,
    '',
    table(['', ...counts.map((runs) => `${runs} runs`)], rows),
  ].join('\n');
  putSections('bench:n8n-memory', page);
  console.log(page);
}
