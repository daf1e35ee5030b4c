import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './freePort.js';
import { startModel } from './model/model.js';
import type { ScriptedModel } from './model/model.js';
import { N8nApi } from './n8n/api.js';
import { installCommunityPackage, packPackage } from './n8n/communityPackage.js';
import { demoServerPort, importWorkflows } from './n8n/importWorkflows.js';
import { installHost } from './n8n/install.js';
import { startN8n } from './n8n/start.js';
import type { RunningN8n } from './n8n/start.js';
import { createUserFolder, owner } from './n8n/userFolder.js';
import { conversation } from './script.js';
import { startDemoServer } from './server/http.js';
import type { Progress } from './terminal/progress.js';

export interface Stage extends AsyncDisposable {
  readonly n8n: RunningN8n;
  readonly api: N8nApi;
  readonly server: Awaited<ReturnType<typeof startDemoServer>>;
  readonly model: ScriptedModel;
  /** Ids of the demo's workflows, by file name without ending. */
  readonly workflows: Map<string, string>;
}

/**
 * Starts all that the demo needs: n8n with the package installed from its tarball, the demo server, the scripted
 * model, and the workflows imported. Whatever it puts into the temporary folder is taken away when the process ends.
 */
export async function raiseStage(progress: Progress): Promise<Stage> {
  const host = await installHost(progress);
  progress('Building and packing n8n-nodes-mcp-verbatim');
  const folder = removedAtExit(await mkdtemp(join(tmpdir(), 'mcp-verbatim-demo-')));
  const tarball = await packPackage(folder);
  const userFolder = removedAtExit(await createUserFolder(host, progress));
  progress('Installing it into n8n as a community package');
  await installCommunityPackage(userFolder, tarball);

  progress('Starting n8n');
  const server = await startDemoServer(await freePort(demoServerPort));
  const model = await startModel(conversation);
  const n8n = await startN8n(host, { userFolder, port: 5678 });

  progress('Importing the workflows');
  const api = await N8nApi.login(n8n.url, owner);
  const workflows = await importWorkflows(api, server.url, model.url);
  return {
    n8n,
    api,
    server,
    model,
    workflows,
    async [Symbol.asyncDispose]() {
      await n8n.stop();
      await Promise.all([server.stop(), model.stop()]);
    },
  };
}

function removedAtExit(folder: string): string {
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
