// npm run bench:n8n [-- --corpus FOLDER] [--out FOLDER] [--quick]: MCP Verbatim Tool beside n8n's own MCP Client Tool
// in one real n8n, and the package beside n8n-nodes-mcp. Prints the report and puts
// it into docs/benchmarks.md, or into a folder.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect, parseArgs } from 'node:util';
import { cannotRun } from '../test-support/cannot-run.js';
import { installHost } from '../test-support/n8n/install.js';
import type { Host } from '../test-support/n8n/install.js';
import { readCorpus } from '../test-support/servers/corpus.js';
import { requiredFolder } from '../test-support/shared.js';
import { CannotMeasureError } from './control.js';
import { argumentsRows } from './n8n/arguments.js';
import { packageCosts, prepareUserFolders, startTimes } from './n8n/packages.js';
import type { UserFolders } from './n8n/packages.js';
import { timingPlot } from './n8n/plot.js';
import { reportPage } from './n8n/report.js';
import { putSections } from './page.js';
import type { Measured } from './n8n/report.js';
import { smallestConversation } from './n8n/parts.js';
import { raiseStage, temporaryFolder } from './n8n/stage.js';
import { timing } from './n8n/timing.js';
import { assertNewest } from './n8n/ways.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: { corpus: { type: 'string' }, out: { type: 'string' }, quick: { type: 'boolean' } },
});
// Enough for medians within six minutes; quick shows that everything works.
const rounds = values.quick
  ? { smallest: 1, short: 1, long: 1, start: 1, require: 1 }
  : { smallest: 25, short: 15, long: 7, start: 4, require: 9 };

main().then(
  () => process.exit(0),
  (error: unknown) => cannotRun(error instanceof CannotMeasureError ? error.message : inspect(error)),
);

async function main(): Promise<void> {
  const corpus = readCorpus(values.corpus ?? requiredFolder('corpus'));
  const say = (step: string) => console.error(step);
  const host = await installHost(say);
  say('Installing both packages');
  const folders = await prepareUserFolders(host, await temporaryFolder());

  const conversations = await held(host, folders, corpus, say);
  say('Requiring the packages');
  const packages = await packageCosts(host, folders, rounds.require);
  say('Starting n8n');
  const starts = await startTimes(host, folders, rounds.start);

  const out = values.out ?? join(root, 'docs/images');
  const page = reportPage(
    { ...conversations, packages, starts },
    { recordedServers: corpus.length, rounds, versions: versions(host), plot: 'images/bench-n8n.svg' },
  );
  mkdirSync(out, { recursive: true });
  if (values.out === undefined) putSections('bench:n8n', page);
  else writeFileSync(join(out, 'bench-n8n.md'), page);
  writeFileSync(join(out, 'bench-n8n.svg'), timingPlot(conversations.timing.cells));
  console.log(page);
}

async function held(
  host: Host,
  folders: UserFolders,
  corpus: Parameters<typeof timing>[1],
  say: (step: string) => void,
): Promise<Pick<Measured, 'rows' | 'smallest' | 'timing'>> {
  await using stage = await raiseStage(host, folders.own);
  await assertNewest(stage);
  say('Single calls');
  const rows = await argumentsRows(stage);
  say('The smallest conversation');
  const smallest = await smallestConversation(stage, rounds.smallest);
  return { rows, smallest, timing: await timing(stage, corpus, rounds, say) };
}

function versions({ n8n, node }: Host): Record<string, string> {
  const modules = join(n8n, '..', '..', '..');
  const version = (name: string) =>
    (JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')) as { version: string }).version;
  return {
    n8n: version('n8n'),
    '@langchain/core, in n8n': version('@langchain/core'),
    'Node.js, of n8n': `v${(JSON.parse(readFileSync(join(node, '..', '..', 'package.json'), 'utf8')) as { version: string }).version}`,
  };
}
