import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { startModel } from './model/model.js';
import type { ScriptedModel } from './model/model.js';
import { N8nApi } from './n8n/api.js';
import { installCommunityPackage, packPackage } from './n8n/community-package.js';
import { demoServerPort } from './n8n/import-workflows.js';
import { installHost } from './n8n/install.js';
import { startN8n } from './n8n/start.js';
import type { RunningN8n } from './n8n/start.js';
import { createUserFolder, owner } from './n8n/user-folder.js';
import { conversation } from './model/conversation.js';
import { startDemoServer } from './demo-server/http.js';

export interface Stage extends AsyncDisposable {
  readonly n8n: RunningN8n;
  readonly api: N8nApi;
  readonly server: Awaited<ReturnType<typeof startDemoServer>>;
  readonly model: ScriptedModel;
}

/**
 * Starts everything that the demo needs: an n8n without workflows or credentials, with the package installed from its
 * tarball, the demo server and the scripted model.
 *
 * @param tarball the packed package; without it, the checkout is built and packed
 */
export async function raiseStage(progress: (step: string) => void, tarball?: string): Promise<Stage> {
  const host = await installHost(progress);
  const folder = removedAtExit(await mkdtemp(join(tmpdir(), 'mcp-verbatim-demo-')));
  if (tarball === undefined) progress('Building and packing n8n-nodes-mcp-verbatim');
  const packed = tarball ?? (await packPackage(folder));
  const userFolder = removedAtExit(await createUserFolder(host, progress));
  progress('Installing it into n8n as a community package');
  await installCommunityPackage(userFolder, packed);

  progress('Starting n8n');
  const server = await startDemoServer(await freePort(demoServerPort));
  const model = await startModel(conversation);
  const n8n = await startN8n(host, { userFolder, port: 5678 });
  return {
    n8n,
    api: await N8nApi.login(n8n.url, owner),
    server,
    model,
    async [Symbol.asyncDispose]() {
      await n8n.stop();
      await Promise.all([server.stop(), model.stop()]);
      await Promise.all([folder, userFolder].map((path) => rm(path, { recursive: true, force: true })));
    },
  };
}

function removedAtExit(folder: string): string {
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
