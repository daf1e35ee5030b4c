import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ScriptedModel } from '../../test-support/model/model.js';
import { N8nApi } from '../../test-support/n8n/api.js';
import type { WorkflowNode } from '../../test-support/n8n/api.js';
import type { Host } from '../../test-support/n8n/install.js';
import { startN8n } from '../../test-support/n8n/start.js';
import { owner } from '../../test-support/n8n/user-folder.js';
import { startModelFor } from '../../test-support/n8n/scripted-model.js';

/** One n8n and one model for all conversations. */
export interface Stage extends AsyncDisposable {
  readonly api: N8nApi;
  readonly model: ScriptedModel;
  /** The node that speaks to the scripted model. */
  readonly modelNode: WorkflowNode;
}

/** @param userFolder has the package installed in it */
export async function raiseStage(host: Host, userFolder: string): Promise<Stage> {
  const reused = fileURLToPath(new URL('./reused-connections.mjs', import.meta.url));
  const n8n = await startN8n(host, { userFolder, env: { NODE_OPTIONS: `--import ${JSON.stringify(reused)}` } });
  const api = await N8nApi.login(n8n.url, owner);
  const { model, modelNode } = await startModelFor(api);
  return {
    api,
    model,
    modelNode,
    async [Symbol.asyncDispose]() {
      await n8n.stop();
      await model.stop();
    },
  };
}

/** A folder for this run, taken away when the process ends. */
export async function temporaryFolder(): Promise<string> {
  return removedAtExit(await mkdtemp(join(tmpdir(), 'mcp-verbatim-bench-')));
}

export function removedAtExit(folder: string): string {
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
