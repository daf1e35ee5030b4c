// npm run demo [-- --once]: one server, one scripted model, two nodes in a real n8n, side by side.
import { printConversation } from './conversation.js';
import { importWorkflows } from '../test-support/n8n/import-workflows.js';
import { HostError } from '../test-support/cached.js';
import { owner } from '../test-support/n8n/user-folder.js';
import { observe } from './observe.js';
import { tool } from '../test-support/model/conversation.js';
import { tools } from '../test-support/demo-server/tools.js';
import { raiseStage } from '../test-support/stage.js';
import type { Stage } from '../test-support/stage.js';
import { showProgress } from './terminal/progress.js';
import { bold, dim } from './terminal/style.js';

const interrupted = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
});

Promise.race([main(), interrupted.then(() => 130)]).then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof HostError ? `\n${error.message}` : error);
    process.exit(1);
  },
);

async function main(): Promise<number> {
  const progress = showProgress();
  await using stage = await raiseStage(progress);
  progress('Importing the workflows');
  const workflows = await importWorkflows(stage.api, stage.server.url, stage.model.url);
  progress('Running both agents');
  await stage.api.run(workflows.get('agents-side-by-side') ?? '', 'Start');
  progress.done();

  const wire = new Map(tools.map(({ name, inputSchema }) => [name, JSON.stringify(inputSchema)]));
  const ways = observe(wire, stage.model.requests, stage.server.calls);
  printConversation(wire, tool, ways.verbatim, ways.builtIn);
  if (!process.argv.includes('--once')) await leaveOpen(stage, workflows.values());
  return [...wire].every(([name, text]) => ways.verbatim.schemas.get(name) === text) ? 0 : 1;
}

async function leaveOpen({ n8n, server, model }: Stage, workflows: Iterable<string>): Promise<void> {
  console.log(
    `\n${bold('n8n is open')} at ${n8n.url}: log in as ${bold(owner.email)}, password ${bold(owner.password)}`,
  );
  console.log(`The demo server listens at ${server.url}, the scripted model at ${model.url}.`);
  for (const id of workflows) console.log(dim(`  ${n8n.url}/workflow/${id}`));
  console.log('Ctrl-C ends everything.');
  await interrupted;
}
