// npm run demo [-- --once]: one server, one scripted model, two nodes in a real n8n, side by side.
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printConversation } from './conversation.js';
import { freePort } from './freePort.js';
import { startModel } from './model/model.js';
import { N8nApi } from './n8n/api.js';
import { installCommunityPackage, packPackage } from './n8n/communityPackage.js';
import { demoServerPort, importWorkflows } from './n8n/importWorkflows.js';
import { HostError, installHost } from './n8n/install.js';
import { startN8n } from './n8n/start.js';
import { createUserFolder, owner } from './n8n/userFolder.js';
import { observe } from './observe.js';
import { conversation, tool } from './script.js';
import { startDemoServer } from './server/http.js';
import { tools } from './server/tools.js';
import { showProgress } from './terminal/progress.js';
import { bold, dim } from './terminal/style.js';

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof HostError ? `\n${error.message}` : error);
    process.exit(1);
  },
);

async function main(): Promise<number> {
  const progress = showProgress();
  const host = await installHost(progress);
  // From here on there are things to take away, however the demo ends.
  const folders: string[] = [];
  process.once('exit', () => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  progress('Building and packing n8n-nodes-mcp-verbatim');
  const folder = await mkdtemp(join(tmpdir(), 'mcp-verbatim-demo-'));
  folders.push(folder);
  const running: (() => Promise<void>)[] = [];
  try {
    const tarball = await packPackage(folder);
    const userFolder = await createUserFolder(host, progress);
    folders.push(userFolder);
    progress('Installing it into n8n as a community package');
    await installCommunityPackage(userFolder, tarball);

    const server = await startDemoServer(await freePort(demoServerPort));
    const model = await startModel(conversation);
    running.push(server.stop, model.stop);
    progress('Starting n8n');
    const n8n = await startN8n(host, { userFolder, port: 5678 });
    running.push(n8n.stop);

    progress('Importing the workflows and running both agents');
    const api = await N8nApi.login(n8n.url, owner);
    const workflows = await importWorkflows(api, server.url, model.url);
    await api.run(workflows.get('agents-side-by-side') ?? '', 'Start');
    progress.done();

    const wire = new Map(tools.map(({ name, inputSchema }) => [name, JSON.stringify(inputSchema)]));
    const ways = observe(wire, model.requests, server.calls);
    printConversation(wire, tool, ways.verbatim, ways.builtIn);
    if (process.argv.includes('--once')) return [...wire].every(([name, text]) => ways.verbatim.told.get(name) === text) ? 0 : 1;

    console.log(`\n${bold('n8n is open')} at ${n8n.url}: log in as ${bold(owner.email)}, password ${bold(owner.password)}`);
    console.log(`The demo server listens at ${server.url}, the scripted model at ${model.url}.`);
    for (const id of workflows.values()) console.log(dim(`  ${n8n.url}/workflow/${id}`));
    console.log('Ctrl-C ends everything.');
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeAllListeners(signal);
    await new Promise((resolve) => {
      process.once('SIGINT', resolve);
      process.once('SIGTERM', resolve);
    });
    return 0;
  } finally {
    progress.done();
    for (const stop of running.reverse()) await stop();
  }
}
