// npm run bench:observe [-- --corpus FOLDER] [--adapted]: what frameworks send a model of recorded servers' tools, each
// behind `mcp-verbatim observe`, and n8n's nodes in a real n8n; and what becomes of "100" for an integer. Prints the table
// of docs/frameworks.md. With --adapted only the line below it, at once: how many tools mcp-verbatim sends in another
// form by default.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect, parseArgs } from 'node:util';
import { N8nApi } from '../test-support/n8n/api.js';
import { installHost } from '../test-support/n8n/install.js';
import { modelNodeFor } from '../test-support/n8n/scripted-model.js';
import { owner } from '../test-support/n8n/user-folder.js';
import { startN8n } from '../test-support/n8n/start.js';
import { agentWorkflow, builtInTool, verbatimTool } from '../test-support/n8n/workflows.js';
import type { WorkflowNode } from '../test-support/n8n/api.js';
import { cannotRun } from '../test-support/cannot-run.js';
import { requiredPackages } from '../test-support/packages.js';
import { type CorpusServer, readCorpus } from '../test-support/servers/corpus.js';
import { startReplayServer } from '../test-support/servers/replay.js';
import { requiredFolder } from '../test-support/shared.js';
import { readCatalogue } from '../src/mcp/index.js';
import { modelSchema, type Provider, providers, sentSchema } from '../src/projections/index.js';
import { callOutcome, caseServers } from './calls.js';
import { cases } from './cases.js';
import { CannotMeasureError, controlServer } from './control.js';
import { type Ask, fidelityOf, observedFidelity, type Fidelity, wireTools } from './fidelity.js';
import { prepareUserFolders } from './n8n/packages.js';
import { temporaryFolder } from './n8n/stage.js';
import { type Peer, peerNames, startPeer } from './peer.js';

const slips = cases.filter(({ name }) => name === 'integer as string');

const { values } = parseArgs({ options: { corpus: { type: 'string' }, adapted: { type: 'boolean' } } });

main().then(
  () => process.exit(0),
  (error: unknown) => cannotRun(error instanceof CannotMeasureError ? error.message : inspect(error)),
);

async function main(): Promise<void> {
  const corpus = readCorpus(values.corpus ?? requiredFolder('corpus'));
  if (values.adapted) {
    console.log(adaptedTools(corpus));
    return;
  }
  const folder = requiredPackages('bench/peers');
  requiredPackages('test/langchain/hosts/newest');
  const server = await startReplayServer({
    ...Object.fromEntries(corpus.map(({ name, toolsListLines }) => [name, toolsListLines])),
    ...caseServers(slips),
    ...controlServer,
  });
  console.log(
    `| behind observe, ${new Date().toISOString().slice(0, 10)} | identical | keys reordered | only annotations changed | changed in meaning | not sent | "100" for an integer |`,
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- |');
  const measure = async (name: string, ask: Ask, slip = '') => {
    console.log(row(name, fidelityOf(await observedFidelity(name, ask, corpus, server)), slip));
  };
  const slipOf = async (peer: Peer) => {
    const outcome = await callOutcome(peer, slips[0]!, 0, server);
    return (
      { right: 'sent as `100`', 'passed on': 'sent as `"100"`', wrongly: 'rejected' }[outcome as string] ?? outcome
    );
  };
  // Its client now and then loses a connection, so that only this measurement, which can be repeated alone, has it.
  for (const name of [...peerNames, '@google/adk']) {
    const peer = startPeer(name, folder);
    const { version } = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')) as {
      version: string;
    };
    await measure(`${name} ${version}`, peer.ask, await slipOf(peer));
    peer.close();
  }
  await measureN8n(measure);
  await server.close();
  console.log(adaptedTools(corpus));
}

/** How many tools are sent in another form, by default and for each provider. */
function adaptedTools(corpus: readonly CorpusServer[]): string {
  // It was recorded with the examples of an OpenAPI test suite, so its tools are harder than those that people use.
  const fixture = '@ivotoby/openapi-mcp-server';
  const others = corpus.filter(({ package: server }) => server !== fixture);
  return `${adaptedOf(corpus)}\nWithout ${fixture}, ${adaptedOf(others)}`;
}

function adaptedOf(corpus: readonly CorpusServer[]): string {
  const schemas = corpus
    .flatMap(({ toolsListLines }) => readCatalogue(wireTools(toolsListLines)).tools)
    .map((tool) => modelSchema(tool));
  const count = (provider?: Provider) =>
    schemas.filter((schema) => sentSchema(schema, provider).schema !== schema).length;
  const all = Object.keys(providers) as Provider[]; // its own keys
  const alone = all.map((provider) => `${provider} ${count(provider)}`).join(', ');
  return `${schemas.length} tools: ${count()} are adapted if no model is named. Alone: ${alone}.`;
}

async function measureN8n(measure: (name: string, ask: Ask) => Promise<void>): Promise<void> {
  const host = await installHost((step) => console.error(step));
  const folders = await prepareUserFolders(host, await temporaryFolder());
  const n8n = await startN8n(host, { userFolder: folders.own });
  const api = await N8nApi.login(n8n.url, owner);
  const askWith =
    (toolAt: (url: string) => Promise<WorkflowNode>): Ask =>
    async (url, modelUrl) => {
      const model = await modelNodeFor(api, { url: modelUrl });
      const parameters = { model: { __rl: true, mode: 'list', value: 'gpt-4.1-mini' }, options: { maxRetries: 0 } };
      const workflow = agentWorkflow({ ...model, parameters }, [await toolAt(url)]);
      await api.run(await api.createWorkflow(workflow), 'Start');
    };
  const version = (name: string) =>
    (JSON.parse(readFileSync(join(host.n8n, '..', '..', '..', name, 'package.json'), 'utf8')) as { version: string })
      .version;
  await measure(
    `MCP Verbatim Tool, in n8n ${version('n8n')}`,
    askWith(async (url) => {
      const data = { url, transport: 'http', authentication: 'none' };
      return verbatimTool({ mcpVerbatimHttpApi: await api.createCredential(url, 'mcpVerbatimHttpApi', data) });
    }),
  );
  await measure(
    `n8n's MCP Client Tool, in n8n ${version('n8n')}`,
    askWith((url) => Promise.resolve(builtInTool(url))),
  );
  await n8n.stop();
}

function row(name: string, { fates }: Fidelity, slip: string): string {
  const all = Object.values(fates).reduce((sum, count) => sum + count, 0);
  const share = (count: number) =>
    count === 0 ? '0' : count * 2000 < all ? '<0.1 %' : `${((100 * count) / all).toFixed(1)} %`;
  const { identical, reordered, annotations, meaning, lost } = fates;
  return `| ${[name, ...[identical, reordered, annotations, meaning, lost].map(share), slip].join(' | ')} |`;
}
