import { rm } from 'node:fs/promises';
import { N8nApi } from '../../../../../test-support/n8n/api.js';
import { installCommunityPackage } from '../../../../../test-support/n8n/community-package.js';
import { quietEnvironment } from '../../../../../test-support/n8n/environment.js';
import { installHost } from '../../../../../test-support/n8n/install.js';
import { startN8n } from '../../../../../test-support/n8n/start.js';
import { createUserFolder, owner } from '../../../../../test-support/n8n/user-folder.js';

export interface ModuleHost extends AsyncDisposable {
  readonly api: N8nApi;
  /** The owner's own project, in which agents live. */
  readonly projectId: string;
}

/** An n8n of its own with modules that the one of all other tests leaves out: each of them makes it start later. */
export async function startWithModules(tarball: string, modules: string[]): Promise<ModuleHost> {
  const host = await installHost();
  const userFolder = await createUserFolder(host);
  const remove = () => rm(userFolder, { recursive: true, force: true });
  try {
    await installCommunityPackage(userFolder, tarball);
    const n8n = await startN8n(host, { userFolder, env: { N8N_DISABLED_MODULES: disabledBut(modules) } });
    const api = await N8nApi.login(n8n.url, owner);
    const { id: projectId } = await api.request<{ id: string }>('GET', '/rest/projects/personal');
    return {
      api,
      projectId,
      async [Symbol.asyncDispose]() {
        await n8n.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

function disabledBut(modules: string[]): string {
  const all = quietEnvironment('', 0, 0)['N8N_DISABLED_MODULES'] ?? '';
  return all
    .split(',')
    .filter((module) => !modules.includes(module))
    .join(',');
}
